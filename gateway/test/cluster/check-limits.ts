/** No identity had more than its limit of admitted requests in any 60 s (interface, Limits; decisions 9), by certain knowledge alone. */

import type { Violation } from './checker.ts';
import { admitted, type Entry, type History, type MarkKind, marked } from './history.ts';

export const windowMs = 60_000;
/** Redis stamps by another clock than ours: rounding, and a wall clock that is being slewed. */
export const clockToleranceMs = 50;
/** A node that stands still may think that the counters do. */
const nodeTroubles: readonly MarkKind[] = ['gateway-paused', 'gateway-slow'];

export function checkLimits(history: History): Violation[] {
  const { userPerMinute } = history.promised;
  return [...Map.groupBy(history.entries.filter(admitted), ({ userId }) => userId)].flatMap(([userId, entries]) => {
    const shared = [...Map.groupBy(entries.filter(decidedByAll(history)), epochOf(history))].flatMap(([epoch, group]) =>
      fullest(group, () => userPerMinute).map(
        ({ count, fromMs }) =>
          `${userId}: ${count} admitted by shared counters within 60 s from ${at(fromMs)}, epoch ${epoch}, limit ${userPerMinute}`,
      ),
    );
    const anyhow = fullest(entries, (fromMs) => userPerMinute * mostLogs(history, fromMs)).map(
      ({ count, fromMs, allowed }) =>
        `${userId}: ${count} admitted within 60 s from ${at(fromMs)}, at most ${allowed} with every node counting by itself`,
    );
    return (shared.length > 0 ? shared : anyhow).map((text) => ({ rule: 'limit' as const, text }));
  });
}

/** The most requests beyond the limit that any identity certainly had in 60 s of shared counters, and in any 60 s at all. */
export function overAdmissions(history: History): { readonly shared: number; readonly anyhow: number } {
  let shared = 0;
  let anyhow = 0;
  for (const entries of Map.groupBy(history.entries.filter(admitted), ({ userId }) => userId).values()) {
    const over = (some: readonly Entry[]) =>
      Math.max(0, ...fullest(some, () => history.promised.userPerMinute).map(({ count, allowed }) => count - allowed));
    anyhow = Math.max(anyhow, over(entries));
    for (const epoch of Map.groupBy(entries.filter(decidedByAll(history)), epochOf(history)).values())
      shared = Math.max(shared, over(epoch));
  }
  return { shared, anyhow };
}

/** Decided by the counters of all nodes: nothing that keeps its node from asking them touched it. */
export function decidedByAll(history: History): (entry: Entry) => boolean {
  return ({ startMs, endMs, servedBy }) =>
    !marked(history, ['counters-away'], startMs, endMs) &&
    !(servedBy !== undefined && marked(history, nodeTroubles, startMs, endMs, servedBy));
}

/** How often the shared counters had forgotten everything by then. */
export function epochOf(history: History): (entry: Entry) => number {
  const emptied = history.marks.filter(({ kind }) => kind === 'counters-emptied');
  return ({ startMs }) => emptied.filter(({ fromMs }) => fromMs <= startMs).length;
}

/**
 * How many logs of admissions may each have held the whole limit in the window. With the counters there: one, and one more for each time that they forgot. Around
 * an outage each node keeps to its own log, which holds whatever it admitted by whichever way; a node that began anew has a second one.
 */
function mostLogs({ promised, marks }: History, fromMs: number): number {
  const within = marks.filter((mark) => mark.fromMs <= fromMs + windowMs && mark.toMs >= fromMs);
  const of = (...kinds: MarkKind[]) => within.filter(({ kind }) => kinds.includes(kind)).length;
  if (of('counters-away', ...nodeTroubles) === 0) return 1 + of('counters-emptied');
  return promised.gateways.length + of('gateway-down');
}

type Crowd = { readonly fromMs: number; readonly count: number; readonly allowed: number };

/**
 * The fullest window beyond its allowance, if any. A window that begins with a request's sending certainly holds what was sent from then on and answered before
 * its end. Two pointers: by end what comes in, by start what goes out.
 */
function fullest(entries: readonly Entry[], allowance: (fromMs: number) => number): Crowd[] {
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
    const allowed = allowance(first.startMs);
    if (count > allowed && count - allowed > (worst === undefined ? 0 : worst.count - worst.allowed))
      worst = { fromMs: first.startMs, count, allowed };
    count -= first.cost;
  }
  return worst === undefined ? [] : [worst];
}

export function at(ms: number): string {
  return `${Math.round(ms)} ms`;
}
