/** Charges one owner for a number of bytes that rises and falls, in steps, so that the budget is asked seldom. */

import type { ByteBudget } from './byte-budget.ts';

export type ChargedLevelSteps = {
  /** Up to this many bytes nothing is charged. */
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

  /** Charges for `bytes` in place of the previous number. False when there is no room: then the previous charge stays. */
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
