import { expect, test } from 'bun:test';
import { WritePace } from './write-pace.ts';

const limits = { writeMs: 30_000, minWriteBytesPerSecond: 8_192, maxWriteMs: 600_000 };

/**
 * The second at which a caller that fetches `bytes` every `everyS` seconds is cut off, while bytes always wait;
 * undefined when that is not within a day. Checked twice a second, as connections are.
 */
function cutOffAt(bytes: number, everyS: number): number | undefined {
  const pace = new WritePace();
  pace.wait(0);
  for (let ms = 500; ms <= 86_400_000; ms += 500) {
    if (ms % (everyS * 1_000) === 0) {
      pace.took(bytes, ms);
      // One piece was accepted, and the next one waits at once.
      pace.rest(ms);
      pace.wait(ms);
    }
    if (pace.isTooSlow(ms, limits) || pace.isTooLong(ms, limits)) return ms / 1_000;
  }
  return undefined;
}

test('a caller that fetches nothing for the time-out is cut off (contract/bounds#slow-readers)', () => {
  expect(cutOffAt(0, 1)).toBe(30.5);
});

test.each([
  [73_728, 12],
  [65_536, 29],
  [1, 1],
])(
  'a caller that fetches %d bytes every %d s is cut off after one window, although it fetches some',
  (bytes, everyS) => {
    expect(cutOffAt(bytes, everyS)).toBe(30.5);
  },
);

test.each([
  [9_000, 1],
  [100_000, 10],
  [1_000_000, 25],
])(
  'a caller that fetches %d bytes every %d s is fast enough, until one answer has waited ten minutes',
  (bytes, everyS) => {
    expect(cutOffAt(bytes, everyS)).toBe(600.5);
  },
);

test('time counts only while bytes wait, and each answer has its own total', () => {
  const pace = new WritePace();
  for (let ms = 0; ms < 3_600_000; ms += 10_000) {
    pace.wait(ms);
    pace.took(20_000, ms + 1_000);
    expect(pace.isTooSlow(ms + 1_000, limits)).toBe(false);
    pace.rest(ms + 2_000);
    expect(pace.isStuck(ms + 9_999, limits)).toBe(false);
    expect(pace.isTooLong(ms + 9_999, { ...limits, maxWriteMs: 2_000 })).toBe(false);
    pace.restartTotal();
  }
});

test('without a minimum rate only a caller that fetches nothing is too slow', () => {
  const pace = new WritePace();
  pace.wait(0);
  for (let ms = 20_000; ms < 500_000; ms += 20_000) {
    pace.took(1, ms);
    expect(pace.isTooSlow(ms, { ...limits, minWriteBytesPerSecond: 0 })).toBe(false);
  }
});
