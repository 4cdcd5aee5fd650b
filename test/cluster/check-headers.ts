/**
 * X-RateLimit headers are well-formed, in range, and consistent with the numbers of requests that were certainly and
 * possibly admitted (contract/limits#headers).
 */

import { at, clockToleranceMs, decidedByAll, epochOf, windowMs } from './check-limits.ts';
import type { Violation } from './checker.ts';
import { admitted, type Entry, type History, identified, isEvaluated } from './history.ts';

export function checkHeaders(history: History): Violation[] {
  const wellFormed = history.entries.flatMap((entry) =>
    formProblems(history, entry).map((text) => reported(entry, text)),
  );
  const counts = [...Map.groupBy(history.entries, ({ userId }) => userId).values()].flatMap((entries) =>
    countProblems(history, entries),
  );
  return [...wellFormed, ...counts].map((text) => ({ rule: 'headers', text }));
}

function reported({ operation, userId, servedBy, via, status, startMs }: Entry, text: string): string {
  return `${operation} of ${userId} at ${servedBy ?? via}, ${at(startMs)}, status ${status}: ${text}`;
}

function formProblems({ promised }: History, entry: Entry): string[] {
  const { limits, malformedLimits, status, cost, retryAfter, outcome } = entry;
  if (outcome !== 'answered') return [];
  if (malformedLimits !== undefined) return [`malformed limit headers: ${malformedLimits}`];
  if (limits === undefined) return status !== undefined && status < 300 ? ['an answer without limit headers'] : [];
  const { limit, remaining, resetSeconds } = limits;
  const problems: string[] = [];
  if (limit !== promised.userPerMinute) problems.push(`Limit ${limit}`);
  if (remaining < 0 || remaining > limit - (admitted(entry) ? cost : 0))
    problems.push(`Remaining ${remaining} of ${limit}`);
  if (status === 429 && remaining >= cost) problems.push(`refused although Remaining is ${remaining}`);
  const startWallMs = entry.endWallMs - (entry.endMs - entry.startMs);
  const earliestMs = startWallMs - clockToleranceMs;
  const latestMs = entry.endWallMs + windowMs + 1000 + clockToleranceMs;
  if (resetSeconds * 1000 < earliestMs || resetSeconds * 1000 > latestMs)
    problems.push(`Reset ${resetSeconds * 1000 - Math.round(entry.endWallMs)} ms after the answer`);
  // One more than 60: admissions are stamped with the next whole millisecond, and the wait is rounded up to whole seconds.
  if (status === 429 && !(Number(retryAfter) >= 1 && Number(retryAfter) <= 61))
    problems.push(`Retry-After ${retryAfter}`);
  return problems;
}

/** Prefix sums of the costs of entries in one order, for "all before this time". */
function summer(
  entries: readonly Entry[],
  timeOf: (entry: Entry) => number,
  costOf = ({ cost }: Entry) => cost,
): (untilMs: number) => number {
  const ordered = entries.toSorted((a, b) => timeOf(a) - timeOf(b));
  const times = ordered.map(timeOf);
  const sums = [0];
  for (const entry of ordered) sums.push((sums.at(-1) ?? 0) + costOf(entry));
  return (untilMs) => {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((times[middle] ?? 0) <= untilMs) low = middle + 1;
      else high = middle;
    }
    return sums[low] ?? 0;
  };
}

/**
 * An entry that lasted much longer than any request should would distort the sums, so such an entry counts as
 * uncertain.
 */
const maxMs = 20_000;

function countProblems(history: History, entries: readonly Entry[]): string[] {
  const shared = entries.filter(
    (entry) => identified(entry) && entry.endMs - entry.startMs < maxMs && decidedByAll(history)(entry),
  );
  const maxAdmitted = possiblyAdmitted(history, entries);
  return [...Map.groupBy(shared, epochOf(history)).values()].flatMap((epoch) => {
    const certain = certainlyAdmitted(epoch);
    return epoch.flatMap((entry) => {
      if (!isEvaluated(history, entry)) return [];
      const { limit = 0, remaining = 0 } = entry.limits ?? {};
      const used = limit - remaining;
      const min = certain(entry);
      const max = maxAdmitted(entry);
      if (used < min)
        return [reported(entry, `Remaining ${remaining} of ${limit}, but ${min} were certainly admitted`)];
      if (used > max)
        return [reported(entry, `Remaining ${remaining} of ${limit}, but at most ${max} can have been admitted`)];
      return [];
    });
  });
}

/** Counts this entry and earlier answered entries that are recent enough to count when this one is answered. */
function certainlyAdmitted(epoch: readonly Entry[]): (entry: Entry) => number {
  const others = epoch.filter(admitted);
  const endedBy = summer(others, ({ endMs }) => endMs);
  const begunBy = summer(others, ({ startMs }) => startMs);
  return (entry) => {
    const own = admitted(entry) ? entry.cost : 0;
    return own + Math.max(0, endedBy(entry.startMs) - begunBy(entry.endMs - windowMs + clockToleranceMs));
  };
}

/**
 * Counts every entry that overlaps the last 60 s of this one and was not refused, answered or not. A request without an
 * answer may run until the next time that the cluster was healthy.
 */
function possiblyAdmitted({ heals, promised }: History, entries: readonly Entry[]): (entry: Entry) => number {
  const possible = entries.filter(
    (entry) =>
      entry.outcome !== 'unreachable' &&
      (entry.outcome !== 'answered' || admitted(entry) || entry.status === undefined || entry.status >= 500),
  );
  const latest = (entry: Entry) =>
    entry.outcome === 'answered'
      ? entry.endMs
      : (heals.find((healedMs) => healedMs > entry.endMs) ?? Number.POSITIVE_INFINITY);
  /**
   * When a gateway counts a read and then answers 503, the balancer retries it at the other gateways, where it counts
   * again.
   */
  const maxCounted = ({ operation, via, cost }: Entry) =>
    operation === 'list' && !promised.gateways.includes(via) ? cost * promised.gateways.length : cost;
  const begunBy = summer(possible, ({ startMs }) => startMs, maxCounted);
  const goneBy = summer(possible, latest, maxCounted);
  return (entry) => begunBy(entry.endMs) - goneBy(entry.startMs - windowMs - clockToleranceMs);
}
