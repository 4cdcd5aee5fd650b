import { expect, test } from 'bun:test';
import { bucketFor, summarize } from './usage-summary.ts';

const at = (minute: number) => `2026-11-23T00:${String(minute).padStart(2, '0')}:00.000Z`;
const row = (minute: number, requests: number, by?: string) => ({
  ...{ at: at(minute), requests, failed: 1, limited: 0, cached: requests - 1, p95Ms: minute },
  ...(by === undefined ? {} : { by }),
});
const span = { from: Date.parse(at(0)), to: Date.parse(at(5)), bucket: 'minute' } as const;

test('rows are summed for each group, the most used first, and buckets without rows are 0', () => {
  expect(summarize([row(1, 2, 'a'), row(1, 5, 'b'), row(3, 4, 'a'), row(4, 1, 'a')], span)).toEqual([
    { by: 'a', requests: 7, failed: 3, limited: 0, cached: 4, worstP95Ms: 4, counts: [0, 2, 0, 4, 1] },
    { by: 'b', requests: 5, failed: 1, limited: 0, cached: 4, worstP95Ms: 1, counts: [0, 5, 0, 0, 0] },
  ]);
  expect(summarize([], span)).toEqual([]);
});

test('a row without a time in the period counts in the sum but in no bucket; a period of years has bounded buckets', () => {
  const [found] = summarize(
    [
      { ...row(1, 3), at: 'soon' },
      { ...row(1, 2), at: '1999-01-01T00:00:00Z' },
    ],
    span,
  );
  expect([found?.requests, found?.counts]).toEqual([5, [0, 0, 0, 0, 0]]);
  expect(summarize([row(1, 1)], { ...span, to: 8.64e15 })[0]?.counts.length).toBe(1_000);
});

test('the bucket size gives a readable number of buckets', () => {
  expect([3_600_000, 86_400_000, 30 * 86_400_000].map(bucketFor)).toEqual(['minute', 'hour', 'day']);
});
