/** A bound on bytes held in memory at once: one for all owners together, and a smaller one for each, so that no owner can use up what all share. */

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
  readonly #held = new Map<string, number>();
  #heldBytes = 0;

  constructor(sizes: ByteBudgetSizes) {
    this.#sizes = sizes;
  }

  /** `owner`: a user's id, or a client's address for somebody who is not known yet. All of `bytes` or nothing is taken. */
  take(owner: string, bytes: number): ByteGrant {
    const held = this.#held.get(owner) ?? 0;
    if (held + bytes > this.#sizes.ownerBytes) return 'owner-full';
    if (this.#heldBytes + bytes > this.#sizes.totalBytes) return 'all-full';
    if (bytes > 0) {
      this.#held.set(owner, held + bytes);
      this.#heldBytes += bytes;
    }
    return 'granted';
  }

  /** What was taken, in any number of parts. Giving back more than the owner holds is a bug and throws. */
  giveBack(owner: string, bytes: number): void {
    const rest = (this.#held.get(owner) ?? 0) - bytes;
    if (rest < 0) throw new RangeError('More bytes were given back than were taken.');
    if (rest === 0) this.#held.delete(owner);
    else this.#held.set(owner, rest);
    this.#heldBytes -= bytes;
  }

  /** Bytes held by all owners together. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Owners that hold anything. */
  get owners(): number {
    return this.#held.size;
  }
}
