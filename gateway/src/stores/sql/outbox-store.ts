/** The outbox in SQL: items enter with the transaction that they tell of. The guarantees are `platform/claims/outbox-store.ts`'. */

import type { ClaimedItem, LaneRule, OutboxItem, OutboxStore } from '../../platform/claims/outbox-store.ts';
import type { Database, Row, Statement } from './database.ts';
import type { Fragment } from './dialect.ts';
import { integerOf, textOf } from './row.ts';
import { raw, sql } from './sql-text.ts';

/** Nobody waits for a delivery to be noted. */
const deadlineMs = 2_000;

/** For the transaction that the item tells of. The same id again changes nothing, so the transaction may be repeated. */
export function enqueue(database: Database, queue: string, { id, lane, payload }: OutboxItem): Statement {
  const now = database.dialect.now();
  return sql`INSERT INTO outbox (id, queue, lane, payload, enqueued_at, due_at, claim, claimed_until)
    VALUES (${id}, ${queue}, ${lane ?? null}, ${payload}, ${now}, ${now}, 0, NULL) ON CONFLICT (id) DO NOTHING`;
}

export function createSqlOutboxStore(database: Database, queue: string, rule: LaneRule): OutboxStore {
  const { dialect } = database;
  const lanes = laneConditions[rule];
  // Two claims at once could each take an item of one lane, neither seeing the other's: they take turns.
  const turns = rule === 'free' ? {} : { serialiseOn: `outbox claims of ${queue}` };
  const changed = async (statement: Statement) => {
    const [rows = []] = await database.transaction([statement], { deadlineMs });
    return rows.length === 1;
  };
  return {
    async claimBatch(limit, leaseMs) {
      const now = dialect.now();
      const [rows = []] = await database.transaction(
        [
          // Materialised: a subquery could be run again for each row, and take more than the limit.
          sql`WITH picked AS MATERIALIZED (
              SELECT id AS picked_id FROM outbox AS item
              WHERE item.queue = ${queue} AND item.due_at <= ${now} ${lanes(now)}
              ORDER BY item.due_at, item.enqueued_at, item.id LIMIT ${limit} ${raw(dialect.skipLocked)}
            )
            UPDATE outbox SET claim = claim + 1, due_at = ${now} + ${leaseMs}, claimed_until = ${now} + ${leaseMs}
            WHERE id IN (SELECT picked_id FROM picked)
            RETURNING id, lane, payload, claim, enqueued_at`,
        ],
        { deadlineMs, ...turns },
      );
      return [...rows].sort(byAge).map(claimedOf);
    },

    complete: ({ id, claim }) =>
      changed(sql`DELETE FROM outbox WHERE id = ${id} AND claim = ${claim} AND claimed_until IS NOT NULL RETURNING id`),

    fail: ({ id, claim }, retryInMs) =>
      changed(
        sql`UPDATE outbox SET due_at = ${dialect.now()} + ${retryInMs}, claimed_until = NULL
          WHERE id = ${id} AND claim = ${claim} AND claimed_until IS NOT NULL RETURNING id`,
      ),
  };
}

/** What keeps an item back for the sake of its lane. */
const laneConditions: Readonly<Record<LaneRule, (now: Fragment) => Statement>> = {
  free: () => sql``,
  'one-at-a-time': (now) => sql`AND NOT EXISTS (SELECT 1 FROM outbox AS other
    WHERE other.queue = item.queue AND other.lane = item.lane AND other.id <> item.id
      AND (other.claimed_until > ${now}
        OR (other.due_at <= ${now} AND (other.enqueued_at, other.id) < (item.enqueued_at, item.id))))`,
  ordered: (now) => sql`AND NOT EXISTS (SELECT 1 FROM outbox AS other
    WHERE other.queue = item.queue AND other.lane = item.lane AND other.id <> item.id
      AND (other.claimed_until > ${now} OR (other.enqueued_at, other.id) < (item.enqueued_at, item.id)))`,
};

function byAge(left: Row, right: Row): number {
  const age = integerOf(left, 'enqueued_at') - integerOf(right, 'enqueued_at');
  return age !== 0 ? age : textOf(left, 'id') < textOf(right, 'id') ? -1 : 1;
}

function claimedOf(row: Row): ClaimedItem {
  const item = { id: textOf(row, 'id'), payload: textOf(row, 'payload'), claim: integerOf(row, 'claim') };
  return row['lane'] === null ? item : { ...item, lane: textOf(row, 'lane') };
}
