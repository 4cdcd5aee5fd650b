import { expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { createDistinctTimes } from './clock.ts';

test('times read within one millisecond are in the order of the calls, and follow the clock afterwards', () => {
  const clock = createManualClock(1_000);
  const distinct = createDistinctTimes(clock);
  expect([distinct(), distinct(), distinct()]).toEqual([1_000, 1_001, 1_002]);
  clock.advance(1);
  expect(distinct()).toBe(1_003);
  clock.advance(10);
  expect(distinct()).toBe(1_011);
});

test('a wall clock that is set far back is followed', () => {
  const clock = createManualClock(1_000_000);
  const distinct = createDistinctTimes(clock);
  distinct();
  clock.setWall(500_000);
  expect(distinct()).toBe(500_000);
});
