/**
 * A byte budget for memory: one bound for all owners together, and a smaller one for each, so that no owner can use up
 * the shared memory.
 */

import { Tally } from '@flowgate/base/tally';

/** `owner-full`: this owner has used its share; others still have room. `all-full`: the whole budget is used. */
export type ByteGrant = 'granted' | 'owner-full' | 'all-full';

export type ByteBudgetSizes = {
  /** The maximum number of bytes that all owners reserve together. */
  readonly totalBytes: number;
  /** The maximum number of bytes that one owner reserves. */
  readonly ownerBytes: number;
};

/**
 * One owner gets a quarter of the total, but at least `maxBytes`, the largest single item. The total is at least twice
 * that.
 */
export function byteBudgetSizes(totalBytes: number, maxBytes: number): ByteBudgetSizes {
  const total = Math.max(totalBytes, 2 * maxBytes);
  return { totalBytes: total, ownerBytes: Math.max(Math.floor(total / 4), maxBytes) };
}

/** Each operation takes constant time. An owner without reserved bytes uses no memory. */
export class ByteBudget {
  readonly #sizes: ByteBudgetSizes;
  readonly #reserved = new Tally();

  constructor(sizes: ByteBudgetSizes) {
    this.#sizes = sizes;
  }

  /** Reserves all of `bytes` or nothing. `owner`: a user's id, or the client's address while the user is unknown. */
  take(owner: string, bytes: number): ByteGrant {
    if (this.#reserved.of(owner) + bytes > this.#sizes.ownerBytes) return 'owner-full';
    if (this.#reserved.total + bytes > this.#sizes.totalBytes) return 'all-full';
    this.#reserved.add(owner, bytes);
    return 'granted';
  }

  /**
   * Reserves `bytes` even without room, for bytes that can no longer be refused. Until enough is returned, other
   * reservations fail.
   */
  overdraw(owner: string, bytes: number): void {
    this.#reserved.add(owner, bytes);
  }

  /** Whether `owner` cannot reserve a single byte. */
  isFull(owner: string): boolean {
    const { ownerBytes, totalBytes } = this.#sizes;
    return this.#reserved.of(owner) >= ownerBytes || this.#reserved.total >= totalBytes;
  }

  /** Returns reserved bytes, in any number of calls. Throws when the owner has reserved fewer, which is a bug. */
  giveBack(owner: string, bytes: number): void {
    this.#reserved.remove(owner, bytes);
  }

  /** Bytes reserved by all owners together. */
  get reservedBytes(): number {
    return this.#reserved.total;
  }

  /** The number of owners with reserved bytes. */
  get owners(): number {
    return this.#reserved.counts.size;
  }
}
