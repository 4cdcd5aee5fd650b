import { expect, test } from 'bun:test';
import { sparkline } from './sparkline.ts';

test('the highest count is a full block, the lowest a line, and zero a blank', () => {
  expect(sparkline([0, 1, 50, 100], 10)).toBe(' ▁▄█');
  expect(sparkline([0, 0], 10)).toBe('  ');
  expect(sparkline([], 10)).toBe('');
});

test('the line never exceeds its width, and merged buckets are summed', () => {
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
