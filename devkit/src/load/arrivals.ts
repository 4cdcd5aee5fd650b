/** A fixed arrival rate: when each request is meant to leave, whatever the server does (open loop, so nothing is omitted when it stalls). */

export type Arrivals = {
  /** How many requests there are in all. */
  readonly total: number;
  /** Nanoseconds after the start at which request `index` (from 0) should leave; latency counts from then. */
  readonly intendedNs: (index: number) => number;
  /** How many requests should have left `elapsedNs` after the start. */
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
