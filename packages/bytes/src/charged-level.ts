/**
 * Charges one owner for a number of bytes that rises and falls, in steps, so that most changes do not call the budget.
 */

import type { ByteBudget } from './byte-budget.ts';

export type ChargedLevelSteps = {
  /** Up to this many bytes are not charged. */
  readonly freeBytes: number;
  readonly stepBytes: number;
};

export class ChargedLevel {
  #charged = 0;

  constructor(
    private readonly budget: Pick<ByteBudget, 'take' | 'giveBack'>,
    private readonly owner: string,
    private readonly steps: ChargedLevelSteps,
  ) {}

  /**
   * Charges for `bytes` instead of the previous number. Returns false when there is no room; then the previous charge
   * stays.
   */
  set(bytes: number): boolean {
    const { freeBytes, stepBytes } = this.steps;
    const due = bytes <= freeBytes ? 0 : Math.ceil(bytes / stepBytes) * stepBytes;
    const more = due - this.#charged;
    if (more > 0 && this.budget.take(this.owner, more) !== 'granted') return false;
    if (more < 0) this.budget.giveBack(this.owner, -more);
    this.#charged = due;
    return true;
  }
}
