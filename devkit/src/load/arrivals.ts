/** A fixed arrival rate, independent of the server's speed: an open loop, so that a stall omits no request. */

export type Arrivals = {
  /** Total number of requests. */
  readonly total: number;
  /** Intended start of request `index` (from 0), in nanoseconds after the start; latency counts from then. */
  readonly intendedNs: (index: number) => number;
  /** How many requests are due `elapsedNs` after the start. */
  readonly dueBy: (elapsedNs: number) => number;
};

export function fixedRate(perSecond: number, durationMs: number): Arrivals {
  if (!(perSecond > 0) || !(durationMs > 0)) throw new RangeError('rate and duration must be above zero');
  const gapNs = 1e9 / perSecond;
  const total = Math.max(1, Math.floor((durationMs * perSecond) / 1000));
  return {
    total,
    intendedNs: (index) => index * gapNs,
    dueBy: (elapsedNs) => (elapsedNs < 0 ? 0 : Math.min(total, Math.floor(elapsedNs / gapNs) + 1)),
  };
}
