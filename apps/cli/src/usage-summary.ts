/** Rows of usage, as the gateway gives them, added up for each thing that they are about, with a count for every bucket of the time that was asked. */

import type { UsageBucket, UsageRow } from '@flowgate/client/usage-wire';

export type UsageSummary = {
  /** Empty for everything together. */
  readonly by: string;
  readonly requests: number;
  readonly failed: number;
  readonly limited: number;
  readonly cached: number;
  /** The highest of the buckets': percentiles cannot be added up. */
  readonly worstP95Ms: number | undefined;
  /** Oldest first, a bucket without requests as 0. */
  readonly counts: readonly number[];
};

const bucketMs: Readonly<Record<UsageBucket, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
/** As many as an answer has rows. */
const maxBuckets = 1_000;

/** The bucket that shows a span in a readable number of steps. */
export function bucketFor(spanMs: number): UsageBucket {
  if (spanMs <= 2 * bucketMs.hour) return 'minute';
  return spanMs <= 7 * bucketMs.day ? 'hour' : 'day';
}

/** The most used first. `from` and `to` in milliseconds since the epoch. */
export function summarise(
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
