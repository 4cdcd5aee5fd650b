/** What was used, as series over every bucket of a range: those without requests too. */
import type { UsageBucket, UsageRow } from '@flowgate/client';

export type UsageRange = {
  readonly id: string;
  readonly title: string;
  readonly bucket: UsageBucket;
  readonly buckets: number;
};

export const usageRanges = [
  { id: 'hour', title: 'Last hour', bucket: 'minute', buckets: 60 },
  { id: 'day', title: 'Last 24 hours', bucket: 'hour', buckets: 24 },
  { id: 'month', title: 'Last 30 days', bucket: 'day', buckets: 30 },
] as const satisfies readonly UsageRange[];

const bucketMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** The first bucket of the range that ends now. */
export function rangeStart({ bucket, buckets }: UsageRange, nowMs: number): Date {
  const lengthMs = bucketMs[bucket];
  return new Date((Math.floor(nowMs / lengthMs) - buckets + 1) * lengthMs);
}

export type UsageSeries = {
  /** Unix seconds at which each bucket begins. */
  readonly at: readonly number[];
  readonly requests: readonly number[];
  /** Refused or not answered, by a limit or otherwise. */
  readonly refused: readonly number[];
};

export type UsageSums = {
  readonly requests: number;
  readonly refused: number;
  readonly limited: number;
  readonly cached: number;
};

export function seriesOf(rows: readonly UsageRow[], range: UsageRange, nowMs: number): UsageSeries {
  const startMs = rangeStart(range, nowMs).getTime();
  const byTime = new Map(rows.map((row) => [Date.parse(row.at), row]));
  const times = Array.from({ length: range.buckets }, (_, at) => startMs + at * bucketMs[range.bucket]);
  const found = times.map((time) => byTime.get(time));
  return {
    at: times.map((time) => time / 1_000),
    requests: found.map((row) => row?.requests ?? 0),
    refused: found.map((row) => (row === undefined ? 0 : row.failed + row.limited)),
  };
}

export function sumsOf(rows: readonly UsageRow[]): UsageSums {
  const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    requests: sum(({ requests }) => requests),
    refused: sum(({ failed, limited }) => failed + limited),
    limited: sum(({ limited }) => limited),
    cached: sum(({ cached }) => cached),
  };
}
