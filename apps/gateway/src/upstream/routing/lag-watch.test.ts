import { expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import fc from 'fast-check';
import { createLagWatch } from './lag-watch.ts';

function watched(count: number, maxLagBlocks = 5) {
  const clock = createManualClock();
  const watch = createLagWatch(clock, maxLagBlocks);
  const behind = new Array<boolean>(count).fill(false);
  const report = behind.map((_, at) =>
    watch.add((isBehind) => {
      behind[at] = isBehind;
    }),
  );
  return {
    clock,
    behind,
    report: (...heads: (number | undefined)[]) => heads.forEach((head, at) => void report[at]?.(head)),
  };
}

test('a node that is further behind than the limit is found, in any order of reports (contract/routing#candidates)', () => {
  for (const heads of [
    [100, 100, 94],
    [94, 100, 100],
    [100, 94, 101],
  ]) {
    const { behind, report } = watched(3);
    report(...heads);
    expect(behind).toEqual(heads.map((head) => head === 94));
  }
  const { behind, report } = watched(3);
  report(100, 100, 95);
  expect(behind).toEqual([false, false, false]);
});

test('a made-up head excludes no other node, and a single node excludes no other', () => {
  const { behind, report } = watched(3);
  report(1e9, 100, 101);
  expect(behind).toEqual([false, false, false]);
  const two = watched(2);
  two.report(100, 50);
  expect(two.behind).toEqual([false, false]);
});

test('an old head is not compared: a node stays in its state until it reports its next head', () => {
  const { clock, behind, report } = watched(3);
  report(100, 100, 100);
  clock.advance(15_000);
  report(160, 160);
  expect(behind).toEqual([false, false, false]);
  report(undefined, undefined, 100);
  expect(behind[2]).toBe(false);
  const frozen = watched(3);
  frozen.report(100, 100, 50);
  expect(frozen.behind).toEqual([false, false, true]);
  for (let hour = 0; hour < 240; hour++) {
    frozen.clock.advance(15_000);
    frozen.report(100 + hour, 100 + hour, 50);
    expect(frozen.behind).toEqual([false, false, true]);
  }
  frozen.report(400, 400, 398);
  expect(frozen.behind).toEqual([false, false, false]);
});

test('a head that was reported for another chain does not count', () => {
  const { behind, report } = watched(3);
  report(1e9, 1e9, 100);
  expect(behind).toEqual([false, false, true]);
  report(undefined, undefined, 100);
  expect(behind[2]).toBe(false);
});

test('the distance to the highest head is reported, also if no other node confirms that head (contract/node-figures)', () => {
  const clock = createManualClock();
  const watch = createLagWatch(clock, 5);
  const lags: (number | undefined)[] = [];
  const [first, second] = [0, 1].map((at) =>
    watch.add((_isBehind, lagBlocks) => {
      lags[at] = lagBlocks;
    }),
  );
  first?.(100);
  expect(lags).toEqual([0]);
  second?.(93);
  expect(lags).toEqual([0, 7]);
  // An old head is not compared with a newer one: its node may have reached that block since.
  clock.advance(15_000);
  first?.(110);
  expect(lags).toEqual([0, 7]);
  second?.(109);
  expect(lags).toEqual([0, 1]);
  second?.(112);
  expect(lags).toEqual([2, 0]);
});

test('the reports of one node exclude no other node', () => {
  const heads = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(heads, fc.integer({ min: 0, max: 1_000 }), (honest, lie) => {
      const { behind, report } = watched(honest.length + 1);
      report(...honest, lie);
      const highest = Math.max(...honest);
      for (const [at, head] of honest.entries()) if (behind[at] === true) expect(highest - head).toBeGreaterThan(5);
    }),
    { numRuns: 300, seed: 88 },
  );
});
