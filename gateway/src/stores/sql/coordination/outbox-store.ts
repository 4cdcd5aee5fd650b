/** The outbox in SQL: items enter with the transaction that they tell of. The guarantees are `platform/coordination/outbox-store.ts`'. */

import type {
  LeasedItem,
  OutboxItem,
  OutboxStore,
  OwnerShare,
  PartitionRule,
} from '../../../platform/coordination/outbox-store.ts';
import type { Database, Row, Statement } from '../engine/database.ts';
import type { Fragment } from '../engine/dialect.ts';
import { integerOf, textOf } from '../engine/row.ts';
import { raw, sql } from '../engine/sql-text.ts';
import {
  type Candidates,
  inTurn,
  oldestDueOfEachPartition,
  oldestOfEachPartition,
  partitionByPartition,
} from './outbox-candidates.ts';

/** Nobody waits for a delivery to be noted. */
const deadlineMs = 2_000;
/** More than this that is due is not read through each time: a million items behind one endpoint would stop everything else on the database. */
const crowd = 1_000;

const candidatesOf = {
  free: undefined,
  'one-at-a-time': inTurn(oldestDueOfEachPartition),
  ordered: inTurn(oldestOfEachPartition),
} as const;

/** How much one call may lease. */
type Wanted = { readonly limit: number; readonly leaseMs: number; readonly share: OwnerShare | undefined };

/**
 * For the transaction that the item tells of. While the item is there its id again, in whatever queue, changes nothing, so the transaction may be repeated.
 * Throws a RangeError for text with a NUL or half a surrogate pair in it: PostgreSQL cannot keep the one, and the other would come back as something else.
 */
export function enqueue(database: Database, queue: string, { id, partitionKey, payload }: OutboxItem): Statement {
  for (const [name, text] of Object.entries({ queue, id, partitionKey: partitionKey ?? '', payload }))
    if (text.includes('\0') || !text.isWellFormed())
      throw new RangeError(`an outbox item's ${name} has a NUL or a lone surrogate in it`);
  const now = database.dialect.now();
  return sql`INSERT INTO outbox (id, queue, lane, payload, enqueued_at, due_at, claim, claimed_until)
    VALUES (${id}, ${queue}, ${partitionKey ?? null}, ${payload}, ${now}, ${now}, 0, NULL) ON CONFLICT (id) DO NOTHING`;
}

/**
 * `enqueue` for each row of a query with the columns `id`, `lane`, `payload` and `bytes`: for items that only the database can tell, whose number and `bytes` in each partition are
 * counted in `outbox_lanes`. Its texts must be such as `enqueue` takes; the caller sees to it.
 */
export function enqueueEach(database: Database, queue: string, items: Fragment): Statement[] {
  const now = database.dialect.now();
  const isNew = sql`NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = item.id)`;
  return [
    // In one order everywhere: two transactions must not wait for each other's partitions in a circle.
    sql`INSERT INTO outbox_lanes (id, items, bytes)
      SELECT CAST(${partitionId(queue, '')} AS TEXT) || item.lane AS lane_id, COUNT(*), SUM(item.bytes) FROM (${items}) AS item
      WHERE ${isNew} GROUP BY item.lane ORDER BY lane_id
      ON CONFLICT (id) DO UPDATE SET items = outbox_lanes.items + excluded.items, bytes = outbox_lanes.bytes + excluded.bytes`,
    // WHERE: without it SQLite would read ON as a part of a join.
    sql`INSERT INTO outbox (id, queue, lane, payload, enqueued_at, due_at, claim, claimed_until, bytes)
      SELECT item.id, CAST(${queue} AS TEXT), item.lane, item.payload, ${now}, ${now}, 0, CAST(NULL AS BIGINT), item.bytes
      FROM (${items}) AS item WHERE TRUE ON CONFLICT (id) DO NOTHING`,
  ];
}

/** The id of a partition in `outbox_lanes`. */
export function partitionId(queue: string, partitionKey: string): string {
  return `${queue}:${partitionKey}`;
}

/** Items in one transaction of `dropPartition`: a few milliseconds, so that no request waits long behind it. */
const dropRows = 1_000;

/** What waits in this partition is not delivered any more. Throws `Unavailable` when some of it may be left: that is counted as before. */
export async function dropPartition(database: Database, queue: string, partitionKey: string): Promise<void> {
  const key = partitionId(queue, partitionKey);
  // Set apart within the transaction, so that each statement sees the same items, whatever is delivered meanwhile.
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
    const [, , , rows = []] = await database.transaction(statements, { deadlineMs });
    left = rows.length > 0;
  }
}

/** Behind the change of its count, which has locked its row. */
function forgetEmptyPartition(key: string): Statement {
  return sql`DELETE FROM outbox_lanes WHERE id = ${key} AND items = 0`;
}

export function createSqlOutboxStore(database: Database, queue: string, rule: PartitionRule): OutboxStore {
  const { dialect } = database;
  // Two leases at once could each take an item of one partition, neither seeing the other's: they run one after another.
  const serialised = rule === 'free' ? {} : { serialiseOn: `outbox claims of ${queue}` };
  let lastPartition = '';

  const changed = async (statement: Statement) => {
    const [rows = []] = await database.transaction([statement], { deadlineMs });
    return rows.length === 1;
  };

  /** How much is due, counted up to a crowd and one more: most looks find nothing, and need no transaction. */
  async function dueCount(): Promise<number> {
    const { text, values } = sql`SELECT COUNT(*) AS due FROM (
      SELECT 1 FROM outbox WHERE queue = ${queue} AND due_at <= ${dialect.now()} LIMIT ${crowd + 1}) AS first`;
    const [row] = await database.query(text, values, { deadlineMs });
    return row === undefined ? 0 : integerOf(row, 'due');
  }

  async function lease({ limit, leaseMs, share }: Wanted, candidates: Candidates | undefined): Promise<readonly Row[]> {
    const now = dialect.now();
    // A sum is in no index: few candidates are found by their ids, not among everything that is due.
    const isPicked =
      candidates === undefined
        ? sql`item.queue = ${queue} AND item.due_at <= ${now}`
        : sql`item.id IN (SELECT candidate_id FROM candidate) AND item.due_at + 0 <= ${now}`;
    const [rows = []] = await database.transaction(
      [
        // Materialised: a subquery could be run again for each row, and take more than the limit.
        sql`WITH ${candidates === undefined ? sql`` : sql`candidate AS MATERIALIZED (${candidates({ queue, now, limit, share })}),`}
          picked AS MATERIALIZED (
            SELECT id AS picked_id FROM outbox AS item WHERE ${isPicked}
            ORDER BY item.due_at, item.enqueued_at, item.id LIMIT ${limit} ${raw(dialect.skipLocked)}
          )
          UPDATE outbox SET claim = claim + 1, due_at = ${now} + ${leaseMs}, claimed_until = ${now} + ${leaseMs}
          WHERE id IN (SELECT picked_id FROM picked)
          RETURNING id, lane, payload, claim, enqueued_at, ${now} - enqueued_at AS age`,
      ],
      { deadlineMs, ...serialised },
    );
    return [...rows].sort(byAge);
  }

  /** Each call goes on where the last one ended, so that every partition has its turn. */
  async function leaseFromCrowd(wanted: Wanted): Promise<readonly Row[]> {
    const isFromStart = lastPartition === '';
    const rows = await lease(wanted, partitionByPartition(lastPartition));
    const partitions = rows.flatMap((row) => (row['lane'] === null ? [] : [textOf(row, 'lane')])).sort();
    lastPartition = rows.length < wanted.limit ? '' : (partitions.at(-1) ?? '');
    return rows.length > 0 || isFromStart ? rows : leaseFromCrowd(wanted);
  }

  return {
    async leaseBatch(limit, leaseMs, share) {
      const wanted = { limit, leaseMs, share };
      const due = await dueCount();
      if (due === 0) return [];
      const isCrowd = rule === 'one-at-a-time' && due > crowd;
      const rows = isCrowd ? leaseFromCrowd(wanted) : lease(wanted, candidatesOf[rule]);
      return (await rows).map(leasedItemOf);
    },

    async complete({ id, leaseCount, partitionKey }) {
      const isOurs = sql`id = ${id} AND claim = ${leaseCount} AND claimed_until IS NOT NULL`;
      const uncount = (from: string) => [
        sql`UPDATE outbox_lanes SET items = items - 1, bytes = bytes - (SELECT bytes FROM outbox WHERE ${isOurs})
          WHERE id = ${partitionId(queue, from)}`,
        forgetEmptyPartition(partitionId(queue, from)),
      ];
      const done = await database.transaction(
        [
          sql`SELECT 1 AS done`,
          ...(partitionKey === undefined ? [] : uncount(partitionKey)),
          sql`DELETE FROM outbox WHERE ${isOurs}`,
        ],
        // Its row is locked first: the same said twice at once is counted once.
        { onlyIf: sql`SELECT id FROM outbox WHERE ${isOurs} ${raw(dialect.skipLocked)}`, deadlineMs },
      );
      return done.length > 0;
    },

    fail: ({ id, leaseCount }, retryInMs) =>
      changed(
        sql`UPDATE outbox SET due_at = ${dialect.now()} + ${retryInMs}, claimed_until = NULL
          WHERE id = ${id} AND claim = ${leaseCount} AND claimed_until IS NOT NULL RETURNING id`,
      ),
  };
}

function byAge(left: Row, right: Row): number {
  const age = integerOf(left, 'enqueued_at') - integerOf(right, 'enqueued_at');
  return age !== 0 ? age : textOf(left, 'id') < textOf(right, 'id') ? -1 : 1;
}

function leasedItemOf(row: Row): LeasedItem {
  const [leaseCount, ageMs] = [integerOf(row, 'claim'), Math.max(0, integerOf(row, 'age'))];
  const item = { id: textOf(row, 'id'), payload: textOf(row, 'payload'), leaseCount, ageMs };
  return row['lane'] === null ? item : { ...item, partitionKey: textOf(row, 'lane') };
}
