import { expect, test } from 'bun:test';
import { median, percentile, spread } from './percentiles.ts';

test('a percentile is a value of the sample, by nearest rank', () => {
  const hundred = Float64Array.from({ length: 100 }, (_, index) => index + 1);
  expect(percentile(hundred, 0.5)).toBe(50);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile(hundred, 1)).toBe(100);
  expect(percentile(hundred, 0)).toBe(1);
  expect(percentile([7], 0.99)).toBe(7);
});

test('the percentile and the median of an empty sample are NaN', () => {
  expect(percentile([], 0.5)).toBeNaN();
  expect(median([])).toBeNaN();
});

test('a quantile outside 0 to 1 throws', () => {
  expect(() => percentile([1], 99)).toThrow(RangeError);
});

test('the median sorts by number and does not change the sample', () => {
  const values = [100, 9, 20];
  expect(median(values)).toBe(20);
  expect(median([100, 9, 20, 10])).toBe(15);
  expect(values).toEqual([100, 9, 20]);
});

test('a spread is the median between the extremes', () => {
  expect(spread([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 });
});
