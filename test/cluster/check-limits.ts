/**
 * No identity had more than its limit of admitted requests in any 60 s (contract/limits). Counts only certain
 * admissions.
 */

import type { Violation } from './checker.ts';
import { admitted, type Entry, type History, type MarkKind, marked } from './history.ts';

export const windowMs = 60_000;
/** Tolerance for the difference between Redis' clock and ours: rounding, and a wall clock that is being slewed. */
export const clockToleranceMs = 50;
/** A paused or slow node may conclude that the counters are unavailable. */
const nodeTroubles: readonly MarkKind[] = ['gateway-paused', 'gateway-slow'];

export function checkLimits(history: History): Violation[] {
  const { userPerMinute } = history.promised;
  return [...Map.groupBy(history.entries.filter(admitted), ({ userId }) => userId)].flatMap(([userId, entries]) => {
    const byAll = [...Map.groupBy(entries.filter(decidedByAll(history)), epochOf(history))].flatMap(([epoch, group]) =>
      fullest(group, userPerMinute).map((crowd) => `${reported(crowd)} by counters of all nodes, epoch ${epoch}`),
    );
    const byOne = [...Map.groupBy(entries, lifeOf(history))].flatMap(([life, group]) =>
      life === undefined
        ? []
        : fullest(group, userPerMinute).map((crowd) => `${reported(crowd)} through ${life} alone`),
    );
    return [...byAll, ...byOne].map((text) => ({ rule: 'limit', text: `${userId}: ${text}, limit ${userPerMinute}` }));
  });
}

function reported({ count, fromMs }: Crowd): string {
  return `${count} admitted within 60 s from ${at(fromMs)}`;
}

/**
 * The maximum number of requests beyond the limit that any identity certainly had within 60 s: by the shared counters,
 * and in total.
 */
export function overAdmissions(history: History): { readonly shared: number; readonly anyhow: number } {
  const { userPerMinute } = history.promised;
  const over = (some: readonly Entry[]) =>
    Math.max(0, ...fullest(some, userPerMinute).map(({ count }) => count - userPerMinute));
  let shared = 0;
  let anyhow = 0;
  for (const entries of Map.groupBy(history.entries.filter(admitted), ({ userId }) => userId).values()) {
    anyhow = Math.max(anyhow, over(entries));
    for (const epoch of Map.groupBy(entries.filter(decidedByAll(history)), epochOf(history)).values())
      shared = Math.max(shared, over(epoch));
  }
  return { shared, anyhow };
}

/** Whether the shared counters decided the request, because no fault separated its gateway from them. */
export function decidedByAll(history: History): (entry: Entry) => boolean {
  return ({ startMs, endMs, servedBy }) =>
    !marked(history, ['counters-unavailable'], startMs, endMs, servedBy) &&
    !(servedBy !== undefined && marked(history, nodeTroubles, startMs, endMs, servedBy));
}

/** How often the shared counters had lost all their data before that time. */
export function epochOf(history: History): (entry: Entry) => number {
  const emptied = history.marks.filter(({ kind }) => kind === 'counters-emptied');
  return ({ startMs }) => emptied.filter(({ fromMs }) => fromMs <= startMs).length;
}

/**
 * Identifies a gateway process between two starts, because each process applies the limit alone while the counters are
 * unavailable. Undefined when the process cannot be determined.
 */
function lifeOf(history: History): (entry: Entry) => string | undefined {
  return ({ servedBy, startMs, endMs }) => {
    if (servedBy === undefined || marked(history, ['gateway-down'], startMs, endMs, servedBy)) return undefined;
    const downs = history.marks.filter(
      ({ kind, service, toMs }) => kind === 'gateway-down' && service === servedBy && toMs < startMs,
    );
    return downs.length === 0 ? servedBy : `${servedBy}, start ${downs.length + 1},`;
  };
}

type Crowd = { readonly fromMs: number; readonly count: number };

/**
 * The window that exceeds the limit most, if any. A window that begins when a request is sent certainly contains every
 * later request that was answered before its end. Uses two pointers: entries enter by their end and leave by their
 * start.
 */
export function fullest(entries: readonly Pick<Entry, 'startMs' | 'endMs' | 'cost'>[], limit: number): Crowd[] {
  const span = windowMs - clockToleranceMs;
  const certain = entries.filter(({ startMs, endMs }) => endMs - startMs < span);
  const byStart = certain.toSorted((a, b) => a.startMs - b.startMs);
  const byEnd = certain.toSorted((a, b) => a.endMs - b.endMs);
  let arrived = 0;
  let count = 0;
  let worst: Crowd | undefined;
  for (const first of byStart) {
    for (let next = byEnd[arrived]; next !== undefined && next.endMs <= first.startMs + span; next = byEnd[arrived]) {
      count += next.cost;
      arrived += 1;
    }
    if (count > (worst?.count ?? limit)) worst = { fromMs: first.startMs, count };
    count -= first.cost;
  }
  return worst === undefined ? [] : [worst];
}

export function at(ms: number): string {
  return `${Math.round(ms)} ms`;
}
