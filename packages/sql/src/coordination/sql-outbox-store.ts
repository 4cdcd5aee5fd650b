/**
 * The outbox in SQL: items are leased, and then completed or due again. `packages/sql/src/coordination/outbox-store.ts`
 * states the guarantees.
 */

import type { Database, Row, Statement } from '../engine/database.ts';
import { integerOf, textOf } from '../engine/row.ts';
import { raw, sql } from '../engine/sql-text.ts';
import { selection } from '../engine/table.ts';
import {
  type Candidates,
  inTurn,
  oldestDueOfEachPartition,
  oldestOfEachPartition,
  type PartitionPosition,
  partitionByPartition,
} from './outbox-candidates.ts';
import { outboxDeadlineMs as deadlineMs, forgetEmptyPartition, partitionId } from './outbox-statements.ts';
import type { LeasedItem, OutboxStore, OwnerShare, PartitionRule } from './outbox-store.ts';
import { outboxTable } from './outbox-tables.ts';

const leased = selection(outboxTable, 'id', 'owner', 'partitionKey', 'payload', 'leaseCount', 'enqueuedAtMs');

/**
 * A backlog of more due items than this is not read completely each time: a million items for one endpoint would block
 * all other work on the database.
 */
const backlogItems = 1_000;
/** Items in one transaction of `setMissingOwners`. */
const ownerRows = 1_000;

const candidatesOf = {
  free: undefined,
  'one-at-a-time': inTurn(oldestDueOfEachPartition),
  ordered: inTurn(oldestOfEachPartition),
} as const;

const beforeAll: PartitionPosition = { owner: '', key: '' };

/** The limits of one call. */
type Wanted = { readonly limit: number; readonly leaseMs: number; readonly share: OwnerShare | undefined };

export function createSqlOutboxStore(database: Database, queue: string, rule: PartitionRule): OutboxStore {
  const { dialect } = database;
  // Two leases at once could each take an item of one partition without seeing the other, so they run one after another. Gateways of earlier releases take the same
  // lock.
  const serialized = rule === 'free' ? {} : { serializeOn: `outbox claims of ${queue}` };
  let lastPartition = beforeAll;

  const changed = async (statement: Statement) => {
    const [rows = []] = await database.transaction([statement], { deadlineMs });
    return rows.length === 1;
  };

  const dueWithoutOwner = () =>
    sql`queue = ${queue} AND due_at <= ${dialect.now()} AND owner IS NULL AND lane IS NOT NULL`;

  /** The number of due items, counted up to one more than `backlogItems`: most calls find none and need no transaction. */
  async function look(): Promise<{ readonly due: number; readonly isOwnerMissing: boolean }> {
    const { text, values } = sql`SELECT COUNT(*) AS due,
        CASE WHEN EXISTS (SELECT 1 FROM outbox WHERE ${dueWithoutOwner()}) THEN 1 ELSE 0 END AS owner_missing
      FROM (SELECT 1 FROM outbox WHERE queue = ${queue} AND due_at <= ${dialect.now()} LIMIT ${backlogItems + 1}) AS first`;
    const [row = {}] = await database.query(text, values, { deadlineMs });
    return { due: integerOf(row, 'due'), isOwnerMissing: integerOf(row, 'owner_missing') === 1 };
  }

  /**
   * Sets the owner of items that a gateway of the previous release enqueued: their owner is the beginning of the
   * partition key. Handles all due items, oldest first, so that none is overtaken by a younger one of its partition.
   */
  async function setMissingOwners(): Promise<void> {
    const statement = sql`WITH picked AS MATERIALIZED (
        SELECT id AS picked_id FROM outbox WHERE ${dueWithoutOwner()} ORDER BY due_at, id
        LIMIT ${ownerRows} ${raw(dialect.skipLocked)}
      )
      UPDATE outbox SET owner = substr(lane, 1, 22) WHERE id IN (SELECT picked_id FROM picked) RETURNING id`;
    for (let left = true; left; ) {
      const [rows = []] = await database.transaction([statement], { deadlineMs, ...serialized });
      left = rows.length === ownerRows;
    }
  }

  async function lease({ limit, leaseMs, share }: Wanted, candidates: Candidates | undefined): Promise<readonly Row[]> {
    const now = dialect.now();
    // No index contains a sum: the few candidates are found by their ids, not among all due items.
    const isPicked =
      candidates === undefined
        ? sql`item.queue = ${queue} AND item.due_at <= ${now}`
        : sql`item.id IN (SELECT candidate_id FROM candidate) AND item.due_at + 0 <= ${now}`;
    const [rows = []] = await database.transaction(
      [
        // Materialized: a subquery could run again for each row, and take more than the limit.
        sql`WITH ${candidates === undefined ? sql`` : sql`candidate AS MATERIALIZED (${candidates({ queue, now, limit, share })}),`}
          picked AS MATERIALIZED (
            SELECT id AS picked_id FROM outbox AS item WHERE ${isPicked}
            ORDER BY item.due_at, item.enqueued_at, item.id LIMIT ${limit} ${raw(dialect.skipLocked)}
          )
          UPDATE outbox SET claim = claim + 1, due_at = ${now} + ${leaseMs}, claimed_until = ${now} + ${leaseMs}
          WHERE id IN (SELECT picked_id FROM picked)
          RETURNING ${leased.list}, ${now} - enqueued_at AS age`,
      ],
      { deadlineMs, ...serialized },
    );
    return [...rows].sort(byAge);
  }

  /** Each call continues where the last one ended, so that every partition gets its turn. */
  async function leaseFromBacklog(wanted: Wanted): Promise<readonly Row[]> {
    const isFromStart = lastPartition === beforeAll;
    const rows = await lease(wanted, partitionByPartition(lastPartition));
    lastPartition = rows.length < wanted.limit ? beforeAll : lastOf(rows);
    return rows.length > 0 || isFromStart ? rows : leaseFromBacklog(wanted);
  }

  return {
    async leaseBatch(limit, leaseMs, share) {
      const wanted = { limit, leaseMs, share };
      const { due, isOwnerMissing } = await look();
      if (due === 0) return [];
      if (isOwnerMissing) await setMissingOwners();
      const isCrowd = rule === 'one-at-a-time' && due > backlogItems;
      const rows = isCrowd ? leaseFromBacklog(wanted) : lease(wanted, candidatesOf[rule]);
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
        // Locks the row first, so that two concurrent repetitions are counted once. Skipping a locked row would not
        // suffice: PostgreSQL receives the other statements regardless, and a repetition would lock the partition's row
        // for which the owner of the item's lock waits.
        { onlyIf: sql`SELECT id FROM outbox WHERE ${isOurs} ${raw(dialect.forUpdate)}`, deadlineMs },
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

/** The last partition of these items, in the database's order: by bytes. */
function lastOf(rows: readonly Row[]): PartitionPosition {
  let last = beforeAll;
  for (const { owner, partitionKey: key } of rows.map(leased.read))
    if (owner !== undefined && key !== undefined && isBefore(last, { owner, key })) last = { owner, key };
  return last;
}

function isBefore(left: PartitionPosition, right: PartitionPosition): boolean {
  const order = Buffer.compare(Buffer.from(left.owner), Buffer.from(right.owner));
  return order < 0 || (order === 0 && Buffer.compare(Buffer.from(left.key), Buffer.from(right.key)) < 0);
}

function leasedItemOf(row: Row): LeasedItem {
  const { id, owner, payload, leaseCount, partitionKey } = leased.read(row);
  const item = { id, payload, leaseCount, ageMs: Math.max(0, integerOf(row, 'age')) };
  return {
    ...item,
    ...(owner === undefined ? {} : { owner }),
    ...(partitionKey === undefined ? {} : { partitionKey }),
  };
}
