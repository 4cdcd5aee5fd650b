/** The content of one HTTP/1.1 response as it arrives: one block while it is small; blocks charged to a byte budget once it is large and has an owner. */

import { BudgetedBuffer, type NoRoom } from '@flowgate/bytes/budgeted-buffer';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import { ByteBuffer } from '@flowgate/bytes/byte-buffer';

/**
 * Bytes. Content up to this size is not charged: it is read at once, and unread bytes of a slow caller fit into the
 * system's own buffers.
 */
export const smallContentBytes = 65_536;

export class ResponseContent {
  /** Set once there was no room for arriving content; the content is then incomplete. */
  noRoom: NoRoom | undefined;
  /**
   * The owner that large content is charged to. Without one, nothing is charged and all content is stored in one block.
   */
  owner: string | undefined;
  readonly #small = new ByteBuffer();
  #buffered: BudgetedBuffer | undefined;

  constructor(private readonly budget: ByteBudget | undefined) {}

  get length(): number {
    return this.#buffered?.length ?? this.#small.length;
  }

  get isBuffered(): boolean {
    return this.#buffered !== undefined;
  }

  /** Whether content of this length must go through `append` even when it arrives in one piece. */
  counts(length: number): boolean {
    return length > smallContentBytes && this.owner !== undefined && this.budget !== undefined;
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    if (this.#buffered === undefined && this.counts(this.#small.length + to - from)) this.#hold();
    const buffered = this.#buffered;
    if (buffered === undefined) this.#small.append(bytes, from, to);
    else if (this.noRoom === undefined) {
      const grant = buffered.append(bytes, from, to);
      if (grant !== 'granted') this.noRoom = grant;
    }
  }

  /** Content that was not charged. No later write changes it. */
  take(): Uint8Array {
    return this.#small.take();
  }

  /** Transfers large content to the caller, who must release it; undefined when the content is small. */
  takeBuffered(): BudgetedBuffer | undefined {
    const buffered = this.#buffered;
    this.#buffered = undefined;
    return buffered;
  }

  clear(): void {
    if (this.#small.length > 0) this.#small.clear();
    this.#buffered?.release();
    this.#buffered = undefined;
    this.noRoom = undefined;
  }

  #hold(): void {
    const { budget, owner } = this;
    if (budget === undefined || owner === undefined) return;
    const buffered = new BudgetedBuffer(budget, owner);
    this.#buffered = buffered;
    const grant = buffered.append(this.#small.view(), 0, this.#small.length);
    if (grant !== 'granted') this.noRoom = grant;
    this.#small.clear();
  }
}
