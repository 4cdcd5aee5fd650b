/** Which items of a queue with lanes may be claimed: of a lane that has nothing out, one. */

import type { Statement } from './database.ts';
import type { Fragment } from './dialect.ts';
import { sql } from './sql-text.ts';

/** A query with the column `candidate_id`. */
export type Candidates = (queue: string, now: Fragment, limit: number) => Statement;

/** Looks at what is due, and at what is out through its own index: what waits for a retry, which may be a day's worth for many endpoints, costs nothing. */
export const oldestDueOfEachLane: Candidates = (queue, now, limit) =>
  sql`SELECT id AS candidate_id FROM (
      SELECT id, lane, due_at, enqueued_at, ROW_NUMBER() OVER (PARTITION BY lane ORDER BY enqueued_at, id) AS place
      FROM outbox WHERE queue = ${queue} AND due_at <= ${now}
    ) AS placed
    WHERE lane IS NULL OR (place = 1 AND NOT EXISTS (
      SELECT 1 FROM outbox AS held
      WHERE held.queue = ${queue} AND held.lane = placed.lane AND held.claimed_until > ${now}
    ))
    ORDER BY due_at, enqueued_at, id LIMIT ${limit}`;

/**
 * For a queue in which very much is due, as behind an endpoint that is down: goes from lane to lane, from the one after `afterLane` on, and takes what has been due longest,
 * each by a few looks into an index. What lies in a lane costs nothing, and it ends when it has found enough.
 */
export function laneByLane(afterLane: string): Candidates {
  return (queue, now, limit) =>
    sql`SELECT candidate_id FROM (${visitedLanes(afterLane, queue, now, limit)}) AS of_lanes
      UNION ALL SELECT candidate_id FROM (${withoutLane(queue, now, limit)}) AS of_none`;
}

function visitedLanes(afterLane: string, queue: string, now: Fragment, limit: number): Statement {
  return sql`SELECT candidate_id FROM (
        WITH RECURSIVE visited AS (
          SELECT MIN(lane) AS lane FROM outbox WHERE queue = ${queue} AND lane > ${afterLane}
          UNION ALL
          SELECT (SELECT MIN(next.lane) FROM outbox AS next WHERE next.queue = ${queue} AND next.lane > visited.lane)
          FROM visited WHERE visited.lane IS NOT NULL
        )
        SELECT (
          SELECT due.id FROM outbox AS due WHERE due.queue = ${queue} AND due.lane = visited.lane AND due.due_at <= ${now}
          ORDER BY due.due_at, due.id LIMIT 1
        ) AS candidate_id
        FROM visited WHERE visited.lane IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM outbox AS held
          WHERE held.queue = ${queue} AND held.lane = visited.lane AND held.claimed_until > ${now}
        )
      ) AS found
      WHERE candidate_id IS NOT NULL LIMIT ${limit}`;
}

/** What has no lane, longest due first. */
function withoutLane(queue: string, now: Fragment, limit: number): Statement {
  return sql`SELECT id AS candidate_id FROM outbox WHERE queue = ${queue} AND lane IS NULL AND due_at <= ${now}
    ORDER BY due_at, id LIMIT ${limit}`;
}

/**
 * One pass over the queue, so that a long lane costs no more than its length: a subquery for each item compares every pair of a lane, and a lane that was long enough would
 * stop the queue.
 */
export const oldestOfEachLane: Candidates = (queue, now, limit) =>
  sql`SELECT id AS candidate_id FROM (
      SELECT id, lane, due_at, enqueued_at,
        ROW_NUMBER() OVER (PARTITION BY lane ORDER BY enqueued_at, id) AS place,
        MAX(claimed_until) OVER (PARTITION BY lane) AS out_until
      FROM outbox WHERE queue = ${queue}
    ) AS placed
    WHERE due_at <= ${now} AND (lane IS NULL OR (place = 1 AND (out_until IS NULL OR out_until <= ${now})))
    ORDER BY due_at, enqueued_at, id LIMIT ${limit}`;
