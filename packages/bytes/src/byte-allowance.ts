/** Limits the bytes that each owner uses over time: a leaky bucket per owner, which is removed once it is empty. */

import type { Clock } from '@flowgate/base/clock';

export type ByteAllowanceOptions = {
  /** Bytes that an owner may use at once, and again in each following minute. */
  readonly bytesPerMinute: number;
  /** How many owners have a bucket of their own. Further owners share one, so that inventing owners gains nothing. */
  readonly maxOwners: number;
  readonly clock: Pick<Clock, 'monotonic'>;
};

const minuteMs = 60_000;
/** The bucket of owners beyond `maxOwners`. */
const furtherOwners = '';

type Bucket = { bytes: number; atMs: number };

/** Each operation takes constant time on average. */
export class ByteAllowance {
  readonly #options: ByteAllowanceOptions;
  /** Least recently used first: empty buckets are found at the front. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: ByteAllowanceOptions) {
    this.#options = options;
  }

  /**
   * Counts bytes, even when the allowance is used up. The bucket is bounded, so that no owner waits longer than a
   * minute.
   */
  spend(owner: string, bytes: number): void {
    const now = this.#options.clock.monotonic();
    this.#forgetEmpty(now);
    const name = this.#nameOf(owner);
    const used = this.#usedBy(name, now) + bytes;
    this.#buckets.delete(name);
    this.#buckets.set(name, { bytes: Math.min(used, 2 * this.#options.bytesPerMinute), atMs: now });
  }

  /** Milliseconds until the owner may use more: 0 means now. */
  waitMs(owner: string): number {
    if (this.#buckets.size === 0) return 0;
    const { bytesPerMinute, clock } = this.#options;
    const excess = this.#usedBy(this.#nameOf(owner), clock.monotonic()) - bytesPerMinute;
    return excess < 0 ? 0 : Math.max(1, Math.ceil((excess / bytesPerMinute) * minuteMs));
  }

  /** Owners with a bucket. */
  get owners(): number {
    return this.#buckets.size;
  }

  #nameOf(owner: string): string {
    return this.#buckets.size < this.#options.maxOwners || this.#buckets.has(owner) ? owner : furtherOwners;
  }

  #usedBy(name: string, now: number): number {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return 0;
    return Math.max(0, bucket.bytes - ((now - bucket.atMs) / minuteMs) * this.#options.bytesPerMinute);
  }

  /** Removes up to two empty buckets for each one that may be added, so that the map shrinks. */
  #forgetEmpty(now: number): void {
    let looks = 2;
    for (const name of this.#buckets.keys()) {
      if (looks-- === 0 || this.#usedBy(name, now) > 0) return;
      this.#buckets.delete(name);
    }
  }
}
