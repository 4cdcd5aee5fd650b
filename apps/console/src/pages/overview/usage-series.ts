/** Usage as a series over every bucket of a range, including empty ones. */
import type { UsageBucket, UsageRow } from '@flowgate/client';

export type UsageRange = {
  readonly id: string;
  readonly title: string;
  readonly bucket: UsageBucket;
  readonly buckets: number;
  /** The previous range, as part of a sentence. */
  readonly before: string;
};

export const usageRanges = [
  { id: 'hour', title: 'Last hour', bucket: 'minute', buckets: 60, before: 'the previous hour' },
  { id: 'day', title: 'Last 24 hours', bucket: 'hour', buckets: 24, before: 'the previous day' },
  { id: 'month', title: 'Last 30 days', bucket: 'day', buckets: 30, before: 'the previous 30 days' },
] as const satisfies readonly UsageRange[];

const bucketMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** Start of the first bucket of the range that ends now. */
export function rangeStart({ bucket, buckets }: UsageRange, nowMs: number): Date {
  const lengthMs = bucketMs[bucket];
  return new Date((Math.floor(nowMs / lengthMs) - buckets + 1) * lengthMs);
}

/** Start of the first bucket of the previous range. */
export function rangeBeforeStart(range: UsageRange, nowMs: number): Date {
  return new Date(rangeStart(range, nowMs).getTime() - range.buckets * bucketMs[range.bucket]);
}

export type UsageSeries = {
  /** Start of each bucket in Unix seconds. */
  readonly at: readonly number[];
  readonly requests: readonly number[];
  /** Refused or failed requests. */
  readonly refused: readonly number[];
  /** Milliseconds; undefined in a bucket without requests. */
  readonly p95Ms: readonly (number | undefined)[];
};

export type UsageSums = {
  readonly requests: number;
  readonly refused: number;
  readonly limited: number;
  readonly cached: number;
  /** Mean over the buckets, weighted by requests, because percentiles cannot be added. Undefined without requests. */
  readonly p95Ms: number | undefined;
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
    p95Ms: found.map((row) => row?.p95Ms),
  };
}

export function sumsOf(rows: readonly UsageRow[]): UsageSums {
  const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const requests = sum((row) => row.requests);
  const measured = sum((row) => (row.p95Ms === undefined ? 0 : row.requests));
  return {
    requests,
    refused: sum(({ failed, limited }) => failed + limited),
    limited: sum(({ limited }) => limited),
    cached: sum(({ cached }) => cached),
    p95Ms: measured === 0 ? undefined : sum(({ p95Ms = 0, ...row }) => p95Ms * row.requests) / measured,
  };
}
