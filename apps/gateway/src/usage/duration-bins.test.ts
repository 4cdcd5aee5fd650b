import { expect, test } from 'bun:test';
import { binCount, binOf, quantileMs } from './duration-bins.ts';

const binsOf = (durations: readonly number[]) => {
  const bins = new Array<number>(binCount).fill(0);
  for (const ms of durations) bins[binOf(ms)] = (bins[binOf(ms)] ?? 0) + 1;
  return bins;
};

test('longer durations are never in an earlier bin, and every duration has one (contract/usage#rows)', () => {
  let last = 0;
  for (let ms = 0.01; ms < 200_000; ms *= 1.05) {
    const bin = binOf(ms);
    expect([ms, bin >= last && bin < binCount]).toEqual([ms, true]);
    last = bin;
  }
  expect([0, -1, Number.NaN, 0.125].map(binOf)).toEqual([0, 0, 0, 0]);
  expect([0.126, 65_536, 65_537, Number.POSITIVE_INFINITY].map(binOf)).toEqual([1, 38, 39, 39]);
});

test('a percentile is less than 42 % off, for any durations and any order of adding bins (contract/usage#rows)', () => {
  let state = 7;
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let round = 0; round < 200; round++) {
    const spread = 1 + chance() * 8;
    const durations = Array.from({ length: 1 + Math.floor(chance() * 300) }, () => 0.2 * Math.exp(chance() * spread));
    const [one, other] = [binsOf(durations.slice(0, 20)), binsOf(durations.slice(20))];
    const bins = one.map((count, bin) => count + (other[bin] ?? 0));
    const sorted = durations.toSorted((left, right) => left - right);
    for (const share of [0.5, 0.95]) {
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      const ratio = (quantileMs(bins, share) ?? 0) / exact;
      expect([round, share, ratio > 0.7 && ratio < 1.42]).toEqual([round, share, true]);
    }
  }
});

test('without durations there is no percentile, and above the last bound it is that bound', () => {
  expect(quantileMs(binsOf([]), 0.5)).toBeUndefined();
  expect(quantileMs(binsOf([100_000]), 0.5)).toBe(65_500);
  expect(quantileMs(binsOf([0.05]), 0.95)).toBeLessThanOrEqual(0.125);
});
