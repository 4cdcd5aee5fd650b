/**
 * The tables of the outbox: its items, and counts for each partition. In SQL a partition key is called `lane`: a
 * gateway of an earlier release may run on the same database.
 */

import { integer, optional, table, text, timeMs } from '../engine/table.ts';

export const outboxTable = table('outbox', 'id', {
  id: text('id'),
  queue: text('queue'),
  /** The partition's owner, for fair shares. NULL without a partition, and until an item that a gateway of the previous release enqueued is due. */
  owner: optional(text('owner')),
  partitionKey: optional(text('lane')),
  payload: text('payload'),
  enqueuedAtMs: timeMs('enqueued_at'),
  dueAtMs: timeMs('due_at'),
  leaseCount: integer('claim'),
  leasedUntilMs: optional(timeMs('claimed_until')),
  bytes: integer('bytes'),
});

/** One row for each partition with items whose number and bytes are counted. */
export const outboxPartitionsTable = table('outbox_lanes', 'id', {
  /** `partitionId`. */
  id: text('id'),
  items: integer('items'),
  bytes: integer('bytes'),
});
