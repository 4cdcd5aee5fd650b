import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { RecentCalls, windowMs } from './recent-calls.ts';

const empty = { calls: 0, failed: 0, p50Ms: undefined, p95Ms: undefined };

test('without calls there are no percentiles (contract/node-figures)', () => {
  const recent = new RecentCalls();
  expect(recent.figures(0)).toEqual(empty);
  expect(recent.figures(1e9)).toEqual(empty);
});

test('calls and failures leave the window after five minutes, a bucket at a time', () => {
  const recent = new RecentCalls();
  // One answer and one failure every ten seconds. Each answer is slower than the one before.
  for (let at = 0; at < 60; at++) {
    recent.note(10 * (at + 1), true, at * 10_000);
    recent.note(5_000, false, at * 10_000);
  }
  expect(recent.figures(599_999)).toMatchObject({ calls: 60, failed: 30 });
  // The oldest answer in the window took 310 ms.
  expect(recent.figures(599_999).p50Ms).toBeGreaterThan(310);
  for (const [nowMs, left] of [
    [600_000, 29],
    [690_000, 20],
    [889_999, 1],
    [890_000, 0],
  ] as const)
    expect(recent.figures(nowMs)).toMatchObject({ calls: 2 * left, failed: left });
  expect(recent.figures(890_000)).toEqual(empty);
  recent.note(1, true, 890_001);
  expect(recent.figures(890_001)).toMatchObject({ calls: 1, failed: 0 });
});

test('the window covers at least 290 and at most 300 seconds, at any position in a bucket', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 2 * windowMs }), (startMs, laterMs) => {
      const recent = new RecentCalls();
      recent.note(1, true, startMs);
      const { calls } = recent.figures(startMs + laterMs);
      if (laterMs < windowMs - 10_000) expect(calls).toBe(1);
      if (laterMs >= windowMs) expect(calls).toBe(0);
    }),
    { numRuns: 500, seed: 147 },
  );
});

test('a failed call counts, and its latency does not', () => {
  const recent = new RecentCalls();
  for (let at = 0; at < 10; at++) recent.note(10, true, 0);
  for (let at = 0; at < 30; at++) recent.note(30_000, false, 0);
  const { p95Ms, ...counts } = recent.figures(0);
  expect(counts).toMatchObject({ calls: 40, failed: 30 });
  expect(p95Ms).toBeLessThan(11);
});

test('if all calls failed there are no percentiles', () => {
  const recent = new RecentCalls();
  recent.note(30_000, false, 0);
  expect(recent.figures(0)).toEqual({ ...empty, calls: 1, failed: 1 });
});

test('a percentile has an error of at most 10 % for latencies from half a millisecond to 200 seconds', () => {
  const times = fc.array(fc.double({ min: 0.5, max: 200_000, noNaN: true }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(times, (took) => {
      const recent = new RecentCalls();
      for (const ms of took) recent.note(ms, true, 0);
      const sorted = took.toSorted((one, other) => one - other);
      const { p50Ms = 0, p95Ms = 0 } = recent.figures(0);
      for (const [found, share] of [
        [p50Ms, 0.5],
        [p95Ms, 0.95],
      ] as const) {
        const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
        expect(Math.abs(found / exact - 1)).toBeLessThan(0.1);
      }
    }),
    { numRuns: 500, seed: 147 },
  );
});

test('after clear, only later calls count', () => {
  const recent = new RecentCalls();
  recent.note(1, true, 0);
  recent.note(1, false, 0);
  recent.clear();
  expect(recent.figures(0)).toEqual(empty);
  recent.note(1, true, 0);
  expect(recent.figures(0).calls).toBe(1);
});
