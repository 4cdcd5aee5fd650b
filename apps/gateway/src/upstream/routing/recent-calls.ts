/** The callers' tries at one node in the last five minutes: how many, how many failed, and how long the answered ones took (contract/node-figures). Knows no clock: moments are monotonic milliseconds. */

import { middleOf, stepOf, steps } from './latency-steps.ts';

/** A sliding window, in steps of a bucket: between 290 and 300 seconds. */
export const windowMs = 300_000;
const bucketMs = 10_000;
const buckets = windowMs / bucketMs;

export type RecentFigures = {
  readonly calls: number;
  /** Of these, those that the circuit breaker counts as the node's failures. */
  readonly failed: number;
  /** Half of the answered ones took no longer, at most 10 % off; undefined when none was answered. */
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
};

/** 9 KB from the first answer on. Nothing else is allocated for a call. */
export class RecentCalls {
  /** Answered calls: the steps of one bucket after those of another. */
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

  /** Frees its memory. */
  clear(): void {
    this.#times = undefined;
    this.#failed = undefined;
  }

  /** Empties the buckets that the window has left. */
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
