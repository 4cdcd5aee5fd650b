/** Which items of a partitioned queue may be leased: one of a partition that has nothing in flight, and of an owner no more than its share. */

import type { OwnerShare } from '../../../platform/coordination/outbox-store.ts';
import { ownerLength } from '../../../platform/coordination/owned-lane.ts';
import type { Statement } from '../engine/database.ts';
import type { Fragment } from '../engine/dialect.ts';
import { raw, sql } from '../engine/sql-text.ts';

type LeaseRequest = {
  readonly queue: string;
  readonly now: Fragment;
  readonly limit: number;
  readonly share: OwnerShare | undefined;
};

/** A query with the column `candidate_id`. */
export type Candidates = (request: LeaseRequest) => Statement;

/** A query with `id`, `lane`, `due_at` and `enqueued_at` of all that is free. */
type FreeItems = (queue: string, now: Fragment) => Statement;

/** Looks at what is due, and at what is out through its own index: what waits for a retry, which may be a day's worth for many endpoints, costs nothing. */
export const oldestDueOfEachPartition: FreeItems = (queue, now) =>
  sql`SELECT id, lane, due_at, enqueued_at FROM (
      SELECT id, lane, due_at, enqueued_at, ROW_NUMBER() OVER (PARTITION BY lane ORDER BY enqueued_at, id) AS place
      FROM outbox WHERE queue = ${queue} AND due_at <= ${now}
    ) AS placed
    WHERE lane IS NULL OR (place = 1 AND NOT EXISTS (
      SELECT 1 FROM outbox AS leased
      WHERE leased.queue = ${queue} AND leased.lane = placed.lane AND leased.claimed_until > ${now}
    ))`;

/**
 * One pass over the queue, so that a long partition costs no more than its length: a subquery for each item compares every pair of a partition, and a partition that was long enough
 * would stop the queue.
 */
export const oldestOfEachPartition: FreeItems = (queue, now) =>
  sql`SELECT id, lane, due_at, enqueued_at FROM (
      SELECT id, lane, due_at, enqueued_at,
        ROW_NUMBER() OVER (PARTITION BY lane ORDER BY enqueued_at, id) AS place,
        MAX(claimed_until) OVER (PARTITION BY lane) AS out_until
      FROM outbox WHERE queue = ${queue}
    ) AS placed
    WHERE due_at <= ${now} AND (lane IS NULL OR (place = 1 AND (out_until IS NULL OR out_until <= ${now})))`;

/** Longest due first; with shares, first everybody's first, then everybody's second, up to the share. */
export function inTurn(freeItems: FreeItems): Candidates {
  return ({ queue, now, limit, share }) => {
    const free = freeItems(queue, now);
    if (share === undefined)
      return sql`SELECT id AS candidate_id FROM (${free}) AS free ORDER BY due_at, enqueued_at, id LIMIT ${limit}`;
    return sql`SELECT id AS candidate_id FROM (
        SELECT id, lane, due_at, enqueued_at, CASE WHEN lane IS NULL THEN 1 ELSE ${inFlightOf('lane', share)} +
          ROW_NUMBER() OVER (PARTITION BY ${ownerOf('lane')} ORDER BY due_at, enqueued_at, id) END AS turn
        FROM (${free}) AS free
      ) AS placed_in_turn
      WHERE lane IS NULL OR turn <= ${share.most} ORDER BY turn, due_at, enqueued_at, id LIMIT ${limit}`;
  };
}

/**
 * For a queue in which very much is due, as behind an endpoint that is down: goes from partition to partition, from the one after `afterPartition` on, and takes what has been due longest,
 * each by a few looks into an index. What waits in a partition costs nothing, nor do the partitions of an owner who has its share, and it ends when it has found enough.
 */
export function partitionByPartition(afterPartition: string): Candidates {
  return (request) =>
    sql`SELECT candidate_id FROM (${visitedPartitions(afterPartition, request)}) AS of_partitions
      UNION ALL SELECT candidate_id FROM (${withoutPartition(request)}) AS of_none`;
}

/**
 * Two rows for each partition, since what comes next depends on what was found: `step` 1 is to look into the partition, `step` 0 has looked. `taken`: what `owner` has in flight, without the
 * candidate of the row itself.
 */
function visitedPartitions(afterPartition: string, { queue, now, limit, share = boundless }: LeaseRequest): Statement {
  const owner = ownerOf('visited.lane');
  const takenBefore = sql`CASE WHEN visited.owner = ${owner} THEN visited.taken ELSE ${inFlightOf('visited.lane', share)} END`;
  const takenAfter = raw('visited.taken + CASE WHEN visited.candidate_id IS NULL THEN 0 ELSE 1 END');
  const hasShare = (taken: Fragment) => sql`${taken} >= CAST(${share.most} AS BIGINT)`;
  return sql`WITH RECURSIVE visited AS (
        SELECT 1 AS step, first.lane AS lane, NULLIF(first.lane, first.lane) AS owner, CAST(0 AS BIGINT) AS taken,
          NULLIF(first.lane, first.lane) AS candidate_id
        FROM (SELECT MIN(lane) AS lane FROM outbox WHERE queue = ${queue} AND lane > ${afterPartition}) AS first
        UNION ALL
        SELECT 1 - visited.step,
          CASE WHEN visited.step = 1 THEN visited.lane ELSE (
            SELECT MIN(next.lane) FROM outbox AS next WHERE next.queue = ${queue}
              AND next.lane > CASE WHEN ${hasShare(takenAfter)} THEN ${owner} || '!' ELSE visited.lane END
          ) END,
          ${owner},
          CASE WHEN visited.step = 1 THEN ${takenBefore} ELSE ${takenAfter} END,
          CASE WHEN visited.step = 0 OR ${hasShare(takenBefore)} THEN NULL WHEN EXISTS (
            SELECT 1 FROM outbox AS leased
            WHERE leased.queue = ${queue} AND leased.lane = visited.lane AND leased.claimed_until > ${now}
          ) THEN NULL ELSE (
            SELECT due.id FROM outbox AS due WHERE due.queue = ${queue} AND due.lane = visited.lane AND due.due_at <= ${now}
            ORDER BY due.due_at, due.id LIMIT 1
          ) END
        FROM visited WHERE visited.lane IS NOT NULL
      )
      SELECT candidate_id FROM visited WHERE candidate_id IS NOT NULL LIMIT ${limit}`;
}

/** What has no partition, longest due first. */
function withoutPartition({ queue, now, limit }: LeaseRequest): Statement {
  return sql`SELECT id AS candidate_id FROM outbox WHERE queue = ${queue} AND lane IS NULL AND due_at <= ${now}
    ORDER BY due_at, id LIMIT ${limit}`;
}

const boundless: OwnerShare = { most: Number.MAX_SAFE_INTEGER, inFlight: new Map() };

/** Behind it `!` is after all partition keys of the owner, and before those of any other: in a key a space follows (`coordination/owned-lane.ts`). */
function ownerOf(partitionKey: string): Fragment {
  return raw(`substr(${partitionKey}, 1, ${ownerLength})`);
}

function inFlightOf(partitionKey: string, { inFlight }: OwnerShare): Fragment {
  const entries = [...inFlight].map(([owner, count]) => sql`WHEN ${owner} THEN CAST(${count} AS BIGINT)`);
  if (entries.length === 0) return raw('CAST(0 AS BIGINT)');
  const cases = { text: entries.map(({ text }) => text).join(' '), values: entries.flatMap(({ values }) => values) };
  return sql`CASE ${ownerOf(partitionKey)} ${cases} ELSE CAST(0 AS BIGINT) END`;
}
