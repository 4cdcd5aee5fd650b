import { expect, test } from 'bun:test';
import { sparkline } from './sparkline.ts';

test('the highest count is a whole block, the smallest a line, none a blank', () => {
  expect(sparkline([0, 1, 50, 100], 10)).toBe(' ▁▄█');
  expect(sparkline([0, 0], 10)).toBe('  ');
  expect(sparkline([], 10)).toBe('');
});

test('it is never wider than asked, and keeps what many buckets hold together', () => {
  expect(sparkline([1, 1, 1, 1, 1, 1, 2, 2], 4)).toBe('▄▄▄█');
  for (const width of [1, 7, 60, 200])
    expect(
      [
        ...sparkline(
          Array.from({ length: 1_000 }, (_, at) => at),
          width,
        ),
      ].length,
    ).toBeLessThanOrEqual(width);
});
