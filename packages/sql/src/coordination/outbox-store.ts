/**
 * The storage interface for delivering items later, at least once. Every engine passes
 * `packages/sql/test/outbox-store-contract.ts`.
 */

export type OutboxItem = {
  /** Unique over all queues: an id that exists in any of them is not enqueued again. */
  readonly id: string;
  /**
   * Like every text of an item, without NUL and lone surrogates: `enqueue` refuses texts that an engine could not
   * return unchanged.
   */
  readonly payload: string;
  /** Items with the same partition key (an endpoint) are delivered one at a time. */
  readonly partitionKey?: string;
  /** The owner of the partition, the same for all of its items; by default the partition is its own owner. An item without a partition key has none. */
  readonly owner?: string;
};

export type LeasedItem = OutboxItem & {
  /** How many times it was leased, including this time: the fencing token of this lease. Includes leases of crashed holders. */
  readonly leaseCount: number;
  /** Milliseconds since it was enqueued, by the storage's clock. */
  readonly ageMs: number;
};

/**
 * `free`: no partitions.
 * `one-at-a-time`: at most one item of a partition is leased at any time, the oldest that is due; an item that waits
 * for its retry lets others pass. With a large backlog, the partitions take turns, each with the item that has been due
 * longest.
 * `ordered`: the oldest item of each partition; none overtakes an older one of its partition.
 * Older means enqueued earlier by the storage's clock, then by id; transactions that enqueue at the same time have no
 * order.
 */
export type PartitionRule = 'free' | 'one-at-a-time' | 'ordered';

/** How much one owner of partitions may have in flight at once. */
export type OwnerShare = {
  readonly max: number;
  /** How many items of each owner the caller has in flight already. */
  readonly inFlight: ReadonlyMap<string, number>;
};

/**
 * Items are added by a statement for the transaction of another store (`outbox-statements`), so an item exists exactly
 * when that transaction was committed. Enqueueing may be repeated while the item exists; once it was completed its id
 * is deleted, and the same item would be delivered again. Times are by the storage's clock, as in `LeaseStore`.
 *
 * Every method throws `Unavailable` when the storage does not answer in time. The operation may have been done or not,
 * and repeating it is safe: when an answer of `leaseBatch` is lost, its items stay leased until the lease ends, and a
 * repeated `complete` or `fail` returns `false`.
 */
export type OutboxStore = {
  /**
   * Leases up to `limit` items that are due and not leased, oldest due first, for `leaseMs`: no other call gets them in
   * that time. An item that is neither completed nor failed by then is due again: when a holder crashes no item is
   * lost, and an item of a slow holder may be delivered twice. With `share`, an owner has no more than `max` items in
   * flight, and skipped items are not leased; without a large backlog, owners with the fewest items in flight go first.
   */
  leaseBatch(limit: number, leaseMs: number, share?: OwnerShare): Promise<readonly LeasedItem[]>;

  /**
   * The item was delivered or will not be delivered: removes it. Returns `false`, without any effect, when the lease is
   * not the latest one any more.
   */
  complete(item: LeasedItem): Promise<boolean>;

  /** The item is due again in `retryInMs`. Returns `false` as in `complete`. */
  fail(item: LeasedItem, retryInMs: number): Promise<boolean>;
};
