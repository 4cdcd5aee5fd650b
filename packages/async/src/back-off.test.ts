import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { backOffMs } from './back-off.ts';

test('pauses double from the first to the longest, which is used for all later attempts', () => {
  const pauses = { firstMs: 50, maxMs: 1_000 };
  const attempts = [1, 2, 3, 4, 5, 6, 7, 2_000];
  expect(attempts.map((attempt) => backOffMs(pauses, attempt))).toEqual([50, 100, 200, 400, 800, 1_000, 1_000, 1_000]);
});

test('a pause is shortened or lengthened randomly, by no more than its jitter', () => {
  const pauses = { firstMs: 100, maxMs: 400, jitter: 0.25 };
  expect([0, 0.5, 1].map((chance) => backOffMs(pauses, 2, chance))).toEqual([150, 200, 250]);
  fc.assert(
    fc.property(fc.nat({ max: 5_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, chance) => {
      const exactMs = backOffMs({ ...pauses, jitter: 0 }, failures + 1, chance);
      const pauseMs = backOffMs(pauses, failures + 1, chance);
      expect(pauseMs).toBeGreaterThanOrEqual(0.75 * exactMs);
      expect(pauseMs).toBeLessThanOrEqual(1.25 * exactMs);
    }),
  );
});
