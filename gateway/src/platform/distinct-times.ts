/** Wall times that never repeat, so that whatever is ordered by them has one order. */

import type { Clock } from './clock.ts';

/** How far the times may run ahead of the clock, one millisecond for each call within one. When the clock is set back by more, they follow it. */
const farthestAheadMs = 1_000;

export function createDistinctTimes(clock: Pick<Clock, 'now'>): () => number {
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock.now();
    lastMs = nowMs > lastMs || lastMs - nowMs > farthestAheadMs ? nowMs : lastMs + 1;
    return lastMs;
  };
}
