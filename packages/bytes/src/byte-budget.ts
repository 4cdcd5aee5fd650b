/** A byte budget for memory: one bound for all owners together, and a smaller one for each, so that no owner can use up what all share. */

import { Tally } from '@flowgate/base/tally';

/** `owner-full`: this owner has its whole share; others still have room. `all-full`: the whole budget is taken. */
export type ByteGrant = 'granted' | 'owner-full' | 'all-full';

export type ByteBudgetSizes = {
  /** The most bytes that all owners hold together. */
  readonly totalBytes: number;
  /** The most bytes that one owner holds. */
  readonly ownerBytes: number;
};

/** A quarter of the total for one owner, but at least the largest single thing that it may hold; the total grows if it could not hold two of these. */
export function byteBudgetSizes(totalBytes: number, maxBytes: number): ByteBudgetSizes {
  const total = Math.max(totalBytes, 2 * maxBytes);
  return { totalBytes: total, ownerBytes: Math.max(Math.floor(total / 4), maxBytes) };
}

/** Each operation takes constant time. An owner that holds nothing takes no room. */
export class ByteBudget {
  readonly #sizes: ByteBudgetSizes;
  readonly #held = new Tally();

  constructor(sizes: ByteBudgetSizes) {
    this.#sizes = sizes;
  }

  /** `owner`: a user's id, or the client's address while the user is unknown. Takes all of `bytes` or nothing. */
  take(owner: string, bytes: number): ByteGrant {
    if (this.#held.of(owner) + bytes > this.#sizes.ownerBytes) return 'owner-full';
    if (this.#held.total + bytes > this.#sizes.totalBytes) return 'all-full';
    this.#held.add(owner, bytes);
    return 'granted';
  }

  /** Takes `bytes` whether there is room or not: until as much was returned, there is no room for others. For what cannot be refused any more. */
  overdraw(owner: string, bytes: number): void {
    this.#held.add(owner, bytes);
  }

  /** Whether `owner` finds no room for a single byte. */
  isFull(owner: string): boolean {
    const { ownerBytes, totalBytes } = this.#sizes;
    return this.#held.of(owner) >= ownerBytes || this.#held.total >= totalBytes;
  }

  /** Returns what was taken, in any number of parts. Throws when the owner holds less: that is a bug. */
  giveBack(owner: string, bytes: number): void {
    this.#held.remove(owner, bytes);
  }

  /** Bytes held by all owners together. */
  get reservedBytes(): number {
    return this.#held.total;
  }

  /** Owners that hold something. */
  get owners(): number {
    return this.#held.counts.size;
  }
}
