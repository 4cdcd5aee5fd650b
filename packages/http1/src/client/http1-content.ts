/** The content of one HTTP/1.1 response as it arrives: one block while it is small; blocks charged to a byte budget once it is large and has an owner. */

import { BudgetedBuffer, type NoRoom } from '@flowgate/bytes/budgeted-buffer';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import { ByteBuffer } from '@flowgate/bytes/byte-buffer';

/** Bytes. Content up to this size is not charged: it is read at once, and the system's own buffers hold what a caller does not fetch of it. */
export const smallContentBytes = 65_536;

export class ResponseContent {
  /** Set once there was no room for arriving content; the content is then incomplete. */
  noRoom: NoRoom | undefined;
  /** The owner that large content is charged to. Without one, nothing is charged and all content is kept in one block. */
  owner: string | undefined;
  readonly #small = new ByteBuffer();
  #held: BudgetedBuffer | undefined;

  constructor(private readonly budget: ByteBudget | undefined) {}

  get length(): number {
    return this.#held?.length ?? this.#small.length;
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Whether content of this length must go through `append` even when it arrives in one piece. */
  counts(length: number): boolean {
    return length > smallContentBytes && this.owner !== undefined && this.budget !== undefined;
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    if (this.#held === undefined && this.counts(this.#small.length + to - from)) this.#hold();
    const held = this.#held;
    if (held === undefined) this.#small.append(bytes, from, to);
    else if (this.noRoom === undefined) {
      const grant = held.append(bytes, from, to);
      if (grant !== 'granted') this.noRoom = grant;
    }
  }

  /** Content that is not held. Nothing writes to it again. */
  take(): Uint8Array {
    return this.#small.take();
  }

  /** Transfers large content to the caller, who must release it; undefined when the content is small. */
  takeBuffered(): BudgetedBuffer | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held;
  }

  clear(): void {
    if (this.#small.length > 0) this.#small.clear();
    this.#held?.release();
    this.#held = undefined;
    this.noRoom = undefined;
  }

  #hold(): void {
    const { budget, owner } = this;
    if (budget === undefined || owner === undefined) return;
    const held = new BudgetedBuffer(budget, owner);
    this.#held = held;
    const grant = held.append(this.#small.view(), 0, this.#small.length);
    if (grant !== 'granted') this.noRoom = grant;
    this.#small.clear();
  }
}
