/** What delivering things later, at least once, needs from storage. Every engine passes `test/contracts/outbox-store-contract.ts`. */

export type OutboxItem = {
  /** Unique over all queues: an id that is there in any of them is not enqueued again. */
  readonly id: string;
  /** Like every text of an item without NUL and lone surrogates: enqueueing refuses what an engine could not give back as it was. */
  readonly payload: string;
  /** Items with the same partition key (an endpoint) are delivered one at a time. */
  readonly partitionKey?: string;
  /** Whose the partition is, the same for all of its items; unless told, nobody else's. An item without a partition key has none. */
  readonly owner?: string;
};

export type LeasedItem = OutboxItem & {
  /** How many times it has been leased, this time included: the fencing token of this lease. Counts leases of crashed holders, too. */
  readonly leaseCount: number;
  /** Milliseconds since it was enqueued, by the storage's clock. */
  readonly ageMs: number;
};

/**
 * `free`: no partitions. `one-at-a-time`: of a partition at most one item is leased at any time, the oldest that is due; one that waits for its retry lets others pass.
 * When very much is due, the partitions take turns, each with the item that has been due longest. `ordered`: the oldest of each partition, and none passes an older one of its
 * partition. Older is by the time at which it was enqueued, by the storage's clock, then by id; transactions that enqueue at the same time have no order.
 */
export type PartitionRule = 'free' | 'one-at-a-time' | 'ordered';

/** What one owner of partitions may have in flight at once. */
export type OwnerShare = {
  readonly most: number;
  /** How many items of each owner the caller has in flight already. */
  readonly inFlight: ReadonlyMap<string, number>;
};

/**
 * Items get in through a statement that the engine's store makes for its own transactions (`stores/sql/coordination/outbox-store.ts`), so an item is there exactly when what it tells of has happened.
 * Enqueueing is safe to repeat while the item is there; once it was completed its id is forgotten, and the same item again is delivered again.
 * Times are by the storage's clock as `LeaseStore` has them. Every method throws `Unavailable` when the storage does not answer in time; then it may
 * have been done or not, and repeating is safe: a lost answer of `leaseBatch` leaves its items to their lease, and a repeated `complete` or `fail` that was done answers `false`.
 */
export type OutboxStore = {
  /**
   * Up to `limit` items that are due and that nobody has leased, oldest due first, for `leaseMs`: no other call gets them before. What is neither completed nor failed by then
   * is due again, so a holder that crashes loses nothing, and one that is slow may find its item delivered twice.
   * With `share`: no more of an owner than takes it to `most`, and what is passed over has not been leased; unless very much is due, owners with the
   * least in flight go first.
   */
  leaseBatch(limit: number, leaseMs: number, share?: OwnerShare): Promise<readonly LeasedItem[]>;

  /** It was delivered, or is given up: it is gone. `false` when the lease is not the latest one any more, and nothing is done. */
  complete(item: LeasedItem): Promise<boolean>;

  /** It is due again in `retryInMs`. `false` as in `complete`. */
  fail(item: LeasedItem, retryInMs: number): Promise<boolean>;
};
