/** Time comes in as an argument everywhere; this file is the one place that reads the machine's clocks. */

export type Clock = {
  /** Wall clock, milliseconds since the Unix epoch: for what people and other machines see. */
  readonly now: () => number;
  /** Monotonic milliseconds since an arbitrary start: for durations, windows and deadlines; unmoved when the wall clock is set. */
  readonly monotonic: () => number;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
