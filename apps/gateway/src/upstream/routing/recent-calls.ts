/** The calls of callers at one node in the last five minutes: total, failed, and latencies of answered ones (contract/node-figures). Has no clock: times are monotonic milliseconds. */

import { middleOf, stepOf, steps } from './latency-steps.ts';

/** A sliding window that moves by one bucket: it covers 290 to 300 seconds. */
export const windowMs = 300_000;
const bucketMs = 10_000;
const buckets = windowMs / bucketMs;

export type RecentFigures = {
  readonly calls: number;
  /** Calls that the circuit breaker counts as failures of the node. */
  readonly failed: number;
  /** The median latency of answered calls, with an error of at most 10 %; undefined if no call was answered. */
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
};

/** Uses 9 KB from the first answer on, and allocates nothing for each call. */
export class RecentCalls {
  /** Answered calls, by bucket and step. */
  #times: Uint32Array | undefined;
  #failed: Uint32Array | undefined;
  #newestBucket = 0;

  note(tookMs: number, answered: boolean, nowMs: number): void {
    this.#advance(nowMs);
    const bucket = this.#newestBucket % buckets;
    if (answered) {
      this.#times ??= new Uint32Array(buckets * steps);
      addOne(this.#times, bucket * steps + stepOf(tookMs));
    } else {
      this.#failed ??= new Uint32Array(buckets);
      addOne(this.#failed, bucket);
    }
  }

  figures(nowMs: number): RecentFigures {
    this.#advance(nowMs);
    const byStep = new Array<number>(steps).fill(0);
    const times = this.#times ?? [];
    for (let at = 0; at < times.length; at++) byStep[at % steps] = (byStep[at % steps] ?? 0) + (times[at] ?? 0);
    const answered = sumOf(byStep);
    const failed = sumOf(this.#failed ?? []);
    const [p50Ms, p95Ms] = [percentileMs(byStep, answered, 0.5), percentileMs(byStep, answered, 0.95)];
    return { calls: answered + failed, failed, p50Ms, p95Ms };
  }

  clear(): void {
    this.#times = undefined;
    this.#failed = undefined;
  }

  /** Clears the buckets that are no longer in the window. */
  #advance(nowMs: number): void {
    const bucket = Math.floor(nowMs / bucketMs);
    for (let next = Math.max(this.#newestBucket, bucket - buckets) + 1; next <= bucket; next++) {
      const at = next % buckets;
      this.#times?.fill(0, at * steps, (at + 1) * steps);
      this.#failed?.fill(0, at, at + 1);
    }
    this.#newestBucket = Math.max(this.#newestBucket, bucket);
  }
}

function addOne(counts: Uint32Array, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

function sumOf(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}

function percentileMs(byStep: readonly number[], answered: number, share: number): number | undefined {
  if (answered === 0) return undefined;
  const rank = answered * share;
  let below = 0;
  const step = byStep.findIndex((count) => {
    below += count;
    return below >= rank;
  });
  return middleOf(step);
}
