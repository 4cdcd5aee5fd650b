/**
 * Selects the items of a partitioned queue that may be leased: one of each partition without an item in flight, and no
 * more of an owner than its share.
 */

import type { Statement } from '../engine/database.ts';
import type { Fragment } from '../engine/dialect.ts';
import { raw, sql } from '../engine/sql-text.ts';
import type { OwnerShare } from './outbox-store.ts';

type LeaseRequest = {
  readonly queue: string;
  readonly now: Fragment;
  readonly limit: number;
  readonly share: OwnerShare | undefined;
};

/** A query with the column `candidate_id`. */
export type Candidates = (request: LeaseRequest) => Statement;

/** A query with `id`, `owner`, `lane` (the partition key), `due_at` and `enqueued_at` of every free item. */
type FreeItems = (queue: string, now: Fragment) => Statement;

/** A partition, in the order of owners and then of keys. */
export type PartitionPosition = { readonly owner: string; readonly key: string };

/**
 * Reads due items and leased items, each through its own index. Items that wait for a retry, possibly those of a day
 * for many endpoints, cost nothing.
 */
export const oldestDueOfEachPartition: FreeItems = (queue, now) =>
  sql`SELECT id, owner, lane, due_at, enqueued_at FROM (
      SELECT id, owner, lane, due_at, enqueued_at, ROW_NUMBER() OVER (PARTITION BY lane ORDER BY enqueued_at, id) AS place
      FROM outbox WHERE queue = ${queue} AND due_at <= ${now}
    ) AS placed
    WHERE lane IS NULL OR (place = 1 AND NOT EXISTS (
      SELECT 1 FROM outbox AS leased
      WHERE leased.queue = ${queue} AND leased.lane = placed.lane AND leased.claimed_until > ${now}
    ))`;

/**
 * One pass over the queue, so that the cost of a long partition is linear. A subquery for each item would compare every
 * pair of items in a partition, and a long partition would block the queue.
 */
export const oldestOfEachPartition: FreeItems = (queue, now) =>
  sql`SELECT id, owner, lane, due_at, enqueued_at FROM (
      SELECT id, owner, lane, due_at, enqueued_at,
        ROW_NUMBER() OVER (PARTITION BY lane ORDER BY enqueued_at, id) AS place,
        MAX(claimed_until) OVER (PARTITION BY lane) AS out_until
      FROM outbox WHERE queue = ${queue}
    ) AS placed
    WHERE due_at <= ${now} AND (lane IS NULL OR (place = 1 AND (out_until IS NULL OR out_until <= ${now})))`;

/** Longest due first. With shares: the first item of each owner, then the second of each, up to the share. */
export function inTurn(freeItems: FreeItems): Candidates {
  return ({ queue, now, limit, share }) => {
    const free = freeItems(queue, now);
    if (share === undefined)
      return sql`SELECT id AS candidate_id FROM (${free}) AS free ORDER BY due_at, enqueued_at, id LIMIT ${limit}`;
    return sql`SELECT id AS candidate_id FROM (
        SELECT id, lane, due_at, enqueued_at, CASE WHEN lane IS NULL THEN 1 ELSE ${inFlightOf('owner', share)} +
          ROW_NUMBER() OVER (PARTITION BY owner ORDER BY due_at, enqueued_at, id) END AS turn
        FROM (${free}) AS free
      ) AS placed_in_turn
      WHERE lane IS NULL OR turn <= ${share.max} ORDER BY turn, due_at, enqueued_at, id LIMIT ${limit}`;
  };
}

/**
 * For a queue with a large backlog, such as that of an unavailable endpoint. Visits the partitions one by one,
 * beginning after `after`, and takes from each the item that has been due longest, with a few index look-ups. Waiting
 * items of a partition cost nothing, nor do partitions of an owner that has reached its share. It ends when enough
 * items are found.
 */
export function partitionByPartition(after: PartitionPosition): Candidates {
  return (request) =>
    sql`SELECT candidate_id FROM (${visitedPartitions(after, request)}) AS of_partitions
      UNION ALL SELECT candidate_id FROM (${withoutPartition(request)}) AS of_none`;
}

/**
 * Returns two rows for each partition, because the next partition depends on the result: with `step` 1 the partition is
 * to be examined, with `step` 0 it was. `taken`: the items that the owner `counted` has in flight; `found`: the
 * candidates so far; both without that of the row itself. The recursion ends by `found`: in a subquery, SQLite computes
 * the whole recursion despite a LIMIT behind it.
 */
function visitedPartitions(
  after: PartitionPosition,
  { queue, now, limit, share = boundless }: LeaseRequest,
): Statement {
  const takenBefore = sql`CASE WHEN visited.counted = visited.owner THEN visited.taken ELSE ${inFlightOf('visited.owner', share)} END`;
  const ownCandidate = 'CASE WHEN visited.candidate_id IS NULL THEN 0 ELSE 1 END';
  const takenAfter = raw(`visited.taken + ${ownCandidate}`);
  const foundAfter = raw(`visited.found + ${ownCandidate}`);
  const hasShare = (taken: Fragment) => sql`${taken} >= CAST(${share.max} AS BIGINT)`;
  const keyOfSameOwner = sql`(SELECT MIN(next.lane) FROM outbox AS next
    WHERE next.queue = ${queue} AND next.owner = visited.owner AND next.lane > visited.lane)`;
  const keyToVisit = sql`CASE WHEN ${hasShare(takenAfter)} THEN NULL ELSE ${keyOfSameOwner} END`;
  const ofNextOwner = (column: 'owner' | 'lane') => sql`(SELECT next.${raw(column)} FROM outbox AS next
    WHERE next.queue = ${queue} AND next.owner > visited.owner ORDER BY next.owner, next.lane LIMIT 1)`;
  return sql`WITH RECURSIVE visited AS (
        SELECT 1 AS step, first.owner AS owner, first.lane AS lane, NULLIF(first.owner, first.owner) AS counted,
          CAST(0 AS BIGINT) AS taken, CAST(0 AS BIGINT) AS found, NULLIF(first.lane, first.lane) AS candidate_id
        FROM (
          SELECT owner, lane FROM outbox WHERE queue = ${queue} AND (owner, lane) > (${after.owner}, ${after.key})
          ORDER BY owner, lane LIMIT 1
        ) AS first
        UNION ALL
        SELECT 1 - visited.step,
          CASE WHEN visited.step = 1 OR ${keyToVisit} IS NOT NULL THEN visited.owner ELSE ${ofNextOwner('owner')} END,
          CASE WHEN visited.step = 1 THEN visited.lane ELSE COALESCE(${keyToVisit}, ${ofNextOwner('lane')}) END,
          visited.owner,
          CASE WHEN visited.step = 1 THEN ${takenBefore} ELSE ${takenAfter} END,
          ${foundAfter},
          CASE WHEN visited.step = 0 OR ${hasShare(takenBefore)} THEN NULL WHEN EXISTS (
            SELECT 1 FROM outbox AS leased
            WHERE leased.queue = ${queue} AND leased.lane = visited.lane AND leased.claimed_until > ${now}
          ) THEN NULL ELSE (
            SELECT due.id FROM outbox AS due WHERE due.queue = ${queue} AND due.lane = visited.lane AND due.due_at <= ${now}
            ORDER BY due.due_at, due.id LIMIT 1
          ) END
        FROM visited WHERE visited.lane IS NOT NULL AND ${foundAfter} < ${limit}
      )
      SELECT candidate_id FROM visited WHERE candidate_id IS NOT NULL LIMIT ${limit}`;
}

/** Items without a partition, longest due first. */
function withoutPartition({ queue, now, limit }: LeaseRequest): Statement {
  return sql`SELECT id AS candidate_id FROM outbox WHERE queue = ${queue} AND lane IS NULL AND due_at <= ${now}
    ORDER BY due_at, id LIMIT ${limit}`;
}

const boundless: OwnerShare = { max: Number.MAX_SAFE_INTEGER, inFlight: new Map() };

function inFlightOf(owner: string, { inFlight }: OwnerShare): Fragment {
  const entries = [...inFlight].map(([name, count]) => sql`WHEN ${name} THEN CAST(${count} AS BIGINT)`);
  if (entries.length === 0) return raw('CAST(0 AS BIGINT)');
  const cases = { text: entries.map(({ text }) => text).join(' '), values: entries.flatMap(({ values }) => values) };
  return sql`CASE ${raw(owner)} ${cases} ELSE CAST(0 AS BIGINT) END`;
}
