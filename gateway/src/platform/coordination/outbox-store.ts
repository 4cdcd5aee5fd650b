/** What delivering things later, at least once, needs from storage. Every engine passes `test/contracts/outbox-store-contract.ts`. */

export type OutboxItem = {
  /** Unique over all queues: an id that is there in any of them is not enqueued again. */
  readonly id: string;
  /** Like every text of an item without NUL and lone surrogates: enqueueing refuses what an engine could not give back as it was. */
  readonly payload: string;
  /** Deliveries that share a lane (an endpoint) go one at a time. */
  readonly lane?: string;
};

export type ClaimedItem = OutboxItem & {
  /** How many times it has been claimed, this time included: the fencing token of this claim. Whoever died before it did anything has claimed it all the same. */
  readonly claim: number;
  /** Milliseconds since it was enqueued, by the storage's clock. */
  readonly ageMs: number;
};

/**
 * `free`: no lanes. `one-at-a-time`: of a lane at most one item is claimed at any time, the oldest that is due; one that waits for its retry lets others pass.
 * When very much is due, the lanes have their turns, each with what has been due longest in it. `ordered`: the oldest of each lane, and none passes an older one of its lane. Older is by the time at which it was enqueued, by the storage's clock, then by id; transactions that enqueue at the same time have no order.
 */
export type LaneRule = 'free' | 'one-at-a-time' | 'ordered';

/** What one owner of lanes may have out at once. Whose a lane is says how it begins (`claims/owned-lane.ts`). */
export type OwnerShare = {
  readonly most: number;
  /** How many of each owner the claimer has out already. */
  readonly held: ReadonlyMap<string, number>;
};

/**
 * Items get in through a statement that the engine's store makes for its own transactions (`stores/sql/coordination/outbox-store.ts`), so an item is there exactly when what it tells of has happened.
 * Enqueueing is safe to repeat while the item is there; once it was completed its id is forgotten, and the same item again is delivered again.
 * Times are by the storage's clock as `LeaseStore` has them. Every method throws `Unavailable` when the storage does not answer in time; then it may
 * have been done or not, and repeating is safe: a lost answer of `claimBatch` leaves its items to their lease, and a repeated `complete` or `fail` that was done answers `false`.
 */
export type OutboxStore = {
  /**
   * Up to `limit` items that are due and that nobody holds, oldest due first, for `leaseMs`: no other claim gets them before. What is neither completed nor failed by then is
   * due again, so a claimer that died loses nothing, and one that was slow may find its item delivered twice.
   * With `share`, for a queue with owned lanes: no more of an owner than takes it to `most`, and what is passed over has not been claimed; unless very much is due, those who
   * have least out go first.
   */
  claimBatch(limit: number, leaseMs: number, share?: OwnerShare): Promise<readonly ClaimedItem[]>;

  /** It was delivered, or is given up: it is gone. `false` when the claim is not the latest one any more, and nothing is done. */
  complete(item: ClaimedItem): Promise<boolean>;

  /** It is due again in `retryInMs`. `false` as in `complete`. */
  fail(item: ClaimedItem, retryInMs: number): Promise<boolean>;
};
