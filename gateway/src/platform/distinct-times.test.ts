import { expect, test } from 'bun:test';
import { createManualClock } from '../../test/fixtures/manual-clock.ts';
import { withDistinctTimes } from './distinct-times.ts';

test('times asked within one millisecond are in the order of asking, and the clock is followed again', () => {
  const clock = createManualClock(1_000);
  const distinct = withDistinctTimes(clock);
  expect([distinct.now(), distinct.now(), distinct.now()]).toEqual([1_000, 1_001, 1_002]);
  clock.advance(1);
  expect(distinct.now()).toBe(1_003);
  clock.advance(10);
  expect(distinct.now()).toBe(1_011);
});

test('a wall clock that is set far back is followed', () => {
  const clock = createManualClock(1_000_000);
  const distinct = withDistinctTimes(clock);
  distinct.now();
  clock.setWall(500_000);
  expect(distinct.now()).toBe(500_000);
});
