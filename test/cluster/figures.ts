/** The figures of a cluster run: delays, recovery times, statuses. They are printed and never asserted. */

import { lostWrites } from './check-keys.ts';
import { overAdmissions } from './check-limits.ts';
import { type Condition, percentileOf, revocationDelays } from './check-revocations.ts';
import type { Entry, History } from './history.ts';

export type Recovery = { readonly fault: string; readonly tookMs: number };

const conditions: readonly Condition[] = ['bus up', 'bus down', 'bus and database down', 'node paused'];

export function figures(history: History, recoveries: readonly Recovery[]): string[] {
  const delays = revocationDelays(history);
  const ms = (value: number) => `${Math.round(value)} ms`;
  const over = overAdmissions(history);
  return [
    `requests: ${history.entries.length}`,
    ...conditions.flatMap((condition) => {
      const [p50, p99, max] = [0.5, 0.99, 1].map((q) => percentileOf(delays, condition, q));
      if (p50 === undefined || p99 === undefined || max === undefined || p50.samples === 0) return [];
      return [
        `revocation elsewhere, ${condition}: p50 ${ms(p50.ms)}, p99 ${ms(p99.ms)}, max ${ms(max.ms)} (${p50.samples} samples)`,
      ];
    }),
    `over-admissions: ${over.shared} with shared counters, ${over.anyhow} around outages`,
    `lost writes: ${lostWrites(history)}`,
    `5xx while nothing was unavailable: ${unprovoked(history)}`,
    ...recoveries.map(({ fault, tookMs }) => `recovered from "${fault}" after ${ms(tookMs)}`),
    ...statusesPerPhase(history),
  ];
}

function unprovoked({ entries, marks }: History): number {
  const calm = ({ startMs, endMs }: Entry) => !marks.some(({ fromMs, toMs }) => fromMs <= endMs && toMs >= startMs);
  return entries.filter((entry) => entry.status !== undefined && entry.status >= 500 && calm(entry)).length;
}

function statusesPerPhase({ entries }: History): string[] {
  return [...Map.groupBy(entries, ({ phase }) => phase)].map(([phase, some]) => {
    const counts = [...Map.groupBy(some, answerOf)]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([status, group]) => `${status}: ${group.length}`);
    const slowestMs = Math.max(
      ...some.filter(({ outcome }) => outcome === 'answered').map((each) => each.endMs - each.startMs),
    );
    return `${phase}: ${counts.join(', ')}; slowest answer ${Math.round(slowestMs)} ms`;
  });
}

function answerOf({ status, outcome, servedBy }: Entry): string {
  if (status === undefined) return outcome;
  return servedBy === undefined ? `${status} of the balancer` : String(status);
}
