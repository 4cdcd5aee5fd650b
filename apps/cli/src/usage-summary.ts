/** Sums rows of usage by group, with a count for each bucket of the period. */

import type { UsageBucket, UsageRow } from '@flowgate/client/usage-wire';

export type UsageSummary = {
  /** Empty for the sum of everything. */
  readonly by: string;
  readonly requests: number;
  readonly failed: number;
  readonly limited: number;
  readonly cached: number;
  /** The maximum of the buckets' percentiles, because percentiles cannot be summed. */
  readonly worstP95Ms: number | undefined;
  /** Oldest first; 0 for a bucket without requests. */
  readonly counts: readonly number[];
};

const bucketMs: Readonly<Record<UsageBucket, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
/** The maximum number of rows in an answer. */
const maxBuckets = 1_000;

/** The bucket size that gives a readable number of buckets. */
export function bucketFor(spanMs: number): UsageBucket {
  if (spanMs <= 2 * bucketMs.hour) return 'minute';
  return spanMs <= 7 * bucketMs.day ? 'hour' : 'day';
}

/** The most used first. `from` and `to` in milliseconds since the epoch. */
export function summarize(
  rows: readonly UsageRow[],
  { from, to, bucket }: { readonly from: number; readonly to: number; readonly bucket: UsageBucket },
): readonly UsageSummary[] {
  const step = bucketMs[bucket];
  const first = Math.floor(from / step);
  const size = Math.min(maxBuckets, Math.max(1, Math.ceil(to / step) - first));
  const summaries = [...Map.groupBy(rows, ({ by = '' }) => by)].map(([by, own]) => {
    const counts = Array.from({ length: size }, () => 0);
    for (const { at, requests } of own) {
      const place = Math.floor(Date.parse(at) / step) - first;
      if (place >= 0 && place < size) counts[place] = (counts[place] ?? 0) + requests;
    }
    const sum = (of: (row: UsageRow) => number) => own.reduce((total, row) => total + of(row), 0);
    const slowest = own.flatMap(({ p95Ms }) => p95Ms ?? []);
    return {
      by,
      counts,
      requests: sum(({ requests }) => requests),
      failed: sum(({ failed }) => failed),
      limited: sum(({ limited }) => limited),
      cached: sum(({ cached }) => cached),
      worstP95Ms: slowest.length === 0 ? undefined : Math.max(...slowest),
    };
  });
  return summaries.toSorted((one, other) => other.requests - one.requests);
}
