/** Time is an argument everywhere; only this file reads the machine's clocks. */

export type Clock = {
  /** Wall clock, milliseconds since the Unix epoch: for what people and other machines see. */
  readonly now: () => number;
  /** Monotonic milliseconds since an arbitrary start: for durations, windows and deadlines; unaffected when the wall clock is set. */
  readonly monotonic: () => number;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
