/** A bound on bytes held in memory at once: one for all owners together, and a smaller one for each, so that no owner can use up what all share. */

import { Tally } from '../tally.ts';

/** `owner-full`: this owner holds its share; others still have room. `all-full`: together all hold as much as there is. */
export type ByteGrant = 'granted' | 'owner-full' | 'all-full';

export type ByteBudgetSizes = {
  /** Bytes that all owners hold at most at once. */
  readonly totalBytes: number;
  /** Bytes that one owner holds at most at once. */
  readonly ownerBytes: number;
};

/** A quarter of the total for one owner, and never less than the largest single thing that it may hold; the total grows where it could not hold that twice. */
export function byteBudgetSizes(totalBytes: number, largestBytes: number): ByteBudgetSizes {
  const total = Math.max(totalBytes, 2 * largestBytes);
  return { totalBytes: total, ownerBytes: Math.max(Math.floor(total / 4), largestBytes) };
}

/** Each operation takes constant time. An owner that holds nothing is not remembered. */
export class ByteBudget {
  readonly #sizes: ByteBudgetSizes;
  readonly #held = new Tally();

  constructor(sizes: ByteBudgetSizes) {
    this.#sizes = sizes;
  }

  /** `owner`: a user's id, or a client's address for somebody who is not known yet. All of `bytes` or nothing is taken. */
  take(owner: string, bytes: number): ByteGrant {
    if (this.#held.of(owner) + bytes > this.#sizes.ownerBytes) return 'owner-full';
    if (this.#held.total + bytes > this.#sizes.totalBytes) return 'all-full';
    this.#held.add(owner, bytes);
    return 'granted';
  }

  /** What was taken, in any number of parts. Giving back more than the owner holds is a bug and throws. */
  giveBack(owner: string, bytes: number): void {
    this.#held.remove(owner, bytes);
  }

  /** Bytes held by all owners together. */
  get heldBytes(): number {
    return this.#held.total;
  }

  /** Owners that hold anything. */
  get owners(): number {
    return this.#held.counts.size;
  }
}
