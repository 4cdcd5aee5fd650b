/** Time is an argument everywhere; only this file reads the machine's clocks. */

export type Clock = {
  /** Wall clock, milliseconds since the Unix epoch: for times that people and other machines read. */
  readonly now: () => number;
  /** Monotonic milliseconds since an arbitrary start: for durations, windows and deadlines; unaffected when the wall clock is set. */
  readonly monotonic: () => number;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** How far distinct times may run ahead of the clock, one millisecond for each call within the same millisecond. When the clock is set back by more, they follow it. */
const maxAheadMs = 1_000;

/** Wall times that never repeat, so that records ordered by them have one order. */
export function createDistinctTimes(clock: Pick<Clock, 'now'>): () => number {
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock.now();
    lastMs = nowMs > lastMs || lastMs - nowMs > maxAheadMs ? nowMs : lastMs + 1;
    return lastMs;
  };
}
