/** A clock whose wall time never answers the same millisecond twice, so that what is ordered by it has one order. */

import type { Clock } from './clock.ts';

/** Runs ahead of the real time by as many milliseconds as it was asked within one; set back by more than this, it follows. */
const farthestAheadMs = 1_000;

export function withDistinctTimes(clock: Clock): Clock {
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    monotonic: clock.monotonic,
    now() {
      const nowMs = clock.now();
      lastMs = nowMs > lastMs || lastMs - nowMs > farthestAheadMs ? nowMs : lastMs + 1;
      return lastMs;
    },
  };
}
