/** Wall times that are never the same twice, so that what is ordered by them has one order. */

import type { Clock } from './clock.ts';

/** Runs ahead of the clock by as many milliseconds as it was asked within one; set back by more than this, it follows. */
const farthestAheadMs = 1_000;

export function createDistinctTimes(clock: Pick<Clock, 'now'>): () => number {
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock.now();
    lastMs = nowMs > lastMs || lastMs - nowMs > farthestAheadMs ? nowMs : lastMs + 1;
    return lastMs;
  };
}
