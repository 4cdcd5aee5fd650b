/**
 * Statements that add items to the outbox, within the transaction that the items report, and that drop those of a
 * partition.
 */

import type { Database, Statement } from '../engine/database.ts';
import type { Fragment } from '../engine/dialect.ts';
import { raw, sql } from '../engine/sql-text.ts';
import type { OutboxItem } from './outbox-store.ts';

/** No request waits for this. */
export const outboxDeadlineMs = 2_000;
/** Items in one transaction of `dropPartition`: a few milliseconds, so that no request waits long behind it. */
const dropRows = 1_000;

/**
 * For the transaction that the item reports. While the item exists, its id is ignored when it is enqueued again, in any
 * queue, so the transaction may be repeated. Throws a RangeError for a text with a NUL or half a surrogate pair:
 * PostgreSQL cannot store the first, and would return the second changed.
 */
export function enqueue(
  { dialect }: Database,
  queue: string,
  { id, partitionKey, owner = partitionKey, payload }: OutboxItem,
): Statement {
  for (const [name, text] of Object.entries({ queue, id, partitionKey, owner, payload }))
    if (text !== undefined && (text.includes('\0') || !text.isWellFormed()))
      throw new RangeError(`an outbox item's ${name} has a NUL or a lone surrogate in it`);
  const now = dialect.now();
  const ownerOfPartition = partitionKey === undefined ? null : (owner ?? null);
  return sql`INSERT INTO outbox (id, queue, owner, lane, payload, enqueued_at, due_at, claim, claimed_until)
    VALUES (${id}, ${queue}, ${ownerOfPartition}, ${partitionKey ?? null}, ${payload}, ${now}, ${now}, 0, NULL)
    ON CONFLICT (id) DO NOTHING`;
}

/**
 * `enqueue` for each row of a query with the columns `id`, `owner`, `lane` (the partition key), `payload` and `bytes`,
 * none of them NULL: for items that only the database can enumerate. Their number and `bytes` in each partition are
 * counted in `outbox_lanes`. The texts must meet the requirements of `enqueue`.
 */
export function enqueueEach({ dialect }: Database, queue: string, items: Fragment): Statement[] {
  const now = dialect.now();
  const isNew = sql`NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = item.id)`;
  return [
    // The same order everywhere, so that two transactions do not deadlock on each other's partitions.
    sql`INSERT INTO outbox_lanes (id, items, bytes)
      SELECT CAST(${partitionId(queue, '')} AS TEXT) || item.lane AS lane_id, COUNT(*), SUM(item.bytes) FROM (${items}) AS item
      WHERE ${isNew} GROUP BY item.lane ORDER BY lane_id
      ON CONFLICT (id) DO UPDATE SET items = outbox_lanes.items + excluded.items, bytes = outbox_lanes.bytes + excluded.bytes`,
    // Without WHERE, SQLite would read ON as a part of a join.
    sql`INSERT INTO outbox (id, queue, owner, lane, payload, enqueued_at, due_at, claim, claimed_until, bytes)
      SELECT item.id, CAST(${queue} AS TEXT), item.owner, item.lane, item.payload, ${now}, ${now}, 0, CAST(NULL AS BIGINT), item.bytes
      FROM (${items}) AS item WHERE TRUE ON CONFLICT (id) DO NOTHING`,
  ];
}

/** The id of a partition in `outbox_lanes`. */
export function partitionId(queue: string, partitionKey: string): string {
  return `${queue}:${partitionKey}`;
}

/** Drops the waiting items of a partition. Throws `Unavailable` when some may be left; those are still counted. */
export async function dropPartition(database: Database, queue: string, partitionKey: string): Promise<void> {
  const key = partitionId(queue, partitionKey);
  // Selected once within the transaction, so that each statement sees the same items although others are delivered
  // meanwhile.
  const dropped = sql`queue = ${`dropped ${key}`}`;
  const statements = [
    sql`WITH picked AS MATERIALIZED (
        SELECT id AS picked_id FROM outbox WHERE queue = ${queue} AND lane = ${partitionKey}
        LIMIT ${dropRows} ${raw(database.dialect.skipLocked)}
      )
      UPDATE outbox SET ${dropped} WHERE id IN (SELECT picked_id FROM picked)`,
    sql`UPDATE outbox_lanes SET items = items - (SELECT COUNT(*) FROM outbox WHERE ${dropped}),
        bytes = bytes - COALESCE((SELECT SUM(bytes) FROM outbox WHERE ${dropped}), 0)
      WHERE id = ${key}`,
    forgetEmptyPartition(key),
    sql`DELETE FROM outbox WHERE ${dropped} RETURNING id`,
  ];
  for (let left = true; left; ) {
    const [, , , rows = []] = await database.transaction(statements, { deadlineMs: outboxDeadlineMs });
    left = rows.length > 0;
  }
}

/** Run it after the change of the partition's count, which has locked its row. */
export function forgetEmptyPartition(key: string): Statement {
  return sql`DELETE FROM outbox_lanes WHERE id = ${key} AND items = 0`;
}
