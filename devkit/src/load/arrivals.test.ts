import { expect, test } from 'bun:test';
import { fixedRate } from './arrivals.ts';

test('a fixed rate spreads its requests evenly', () => {
  const arrivals = fixedRate(2000, 1000);
  expect(arrivals.total).toBe(2000);
  expect(arrivals.intendedNs(0)).toBe(0);
  expect(arrivals.intendedNs(1)).toBe(500_000);
  expect(arrivals.intendedNs(1999)).toBe(999_500_000);
});

test('a request is due at its intended instant and not before', () => {
  const arrivals = fixedRate(1000, 10);
  expect(arrivals.dueBy(-1)).toBe(0);
  expect(arrivals.dueBy(0)).toBe(1);
  expect(arrivals.dueBy(999_999)).toBe(1);
  expect(arrivals.dueBy(1_000_000)).toBe(2);
});

test('after a stall all missed requests are due at once, and never more than the total', () => {
  const arrivals = fixedRate(1000, 10);
  expect(arrivals.dueBy(5_000_000)).toBe(6);
  expect(arrivals.dueBy(60_000_000_000)).toBe(10);
});

test('a rate of zero throws', () => {
  expect(() => fixedRate(0, 1000)).toThrow(RangeError);
  expect(() => fixedRate(1000, 0)).toThrow(RangeError);
});
