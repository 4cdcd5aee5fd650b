/** One leader for a background job: of all gateways one does the work, for as long as it holds the lease, and another takes over when it crashes. */

import { pause } from '@flowgate/async/bounded-waits';
import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Lease, LeaseStore } from './lease-store.ts';

export type LeaderOptions = {
  readonly leases: LeaseStore;
  /** The name of the job: `webhook delivery`. */
  readonly name: string;
  /** This process, unique over all gateways and restarts. */
  readonly holder: string;
  /** After this time without a renewal another gateway takes over. Default 15,000. */
  readonly ttlMs?: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /**
   * Runs until it is done or `signal` is aborted. That happens before another process can hold the lease, unless this process stood still, so its writes need the
   * lease's fence all the same. When it returns or throws, the lease is released, and acquired again after `pauseMs`.
   */
  readonly work: (lease: Lease, signal: AbortSignal) => Promise<void>;
  /** Between two runs of the work; default a third of `ttlMs`. */
  readonly pauseMs?: number;
  /** Gets what the work threw, and bugs. Unavailable storage is not reported here. */
  readonly onError: (error: unknown) => void;
};

export type Leadership = {
  readonly isLeader: () => boolean;
  /** Aborts the work, waits for it, and releases the lease at once. */
  readonly stop: () => Promise<void>;
};

/** Renewals within `ttlMs`: two may fail before the lease is lost. */
const renewalsPerTtl = 3;
/** The work is aborted when this part of the time is left: clocks run at slightly different speeds, and stopping takes a moment. */
const safetyPart = 0.2;

export function runWhileLeader(options: LeaderOptions): Leadership {
  const { leases, name, holder, ttlMs = 15_000, clock, pauseMs = ttlMs / renewalsPerTtl } = options;
  const stopping = new AbortController();
  let leading = false;

  async function seek(): Promise<void> {
    while (!stopping.signal.aborted) {
      const askedAtMs = clock.monotonic();
      const attempt = await unlessUnavailable(leases.acquire(name, holder, ttlMs));
      if (attempt?.acquired === true) await lead(attempt.lease, askedAtMs);
      const waitMs = attempt?.acquired === false ? Math.min(pauseMs, attempt.expiresInMs + 1) : pauseMs;
      await pause(waitMs, stopping.signal);
    }
  }

  /** Time counts from before the request to the storage, so that the lease never ends later here than there. */
  async function lead(lease: Lease, askedAtMs: number): Promise<void> {
    const losing = new AbortController();
    const signal = AbortSignal.any([losing.signal, stopping.signal]);
    leading = true;
    const renewing = keepHolding(lease, askedAtMs, losing);
    try {
      if (!signal.aborted) await options.work(lease, signal);
    } catch (error) {
      if (!signal.aborted && !(error instanceof Unavailable)) options.onError(error);
    }
    leading = false;
    losing.abort();
    await renewing;
    await unlessUnavailable(leases.release(lease));
  }

  async function keepHolding(lease: Lease, askedAtMs: number, losing: AbortController): Promise<void> {
    let untilMs = askedAtMs + ttlMs * (1 - safetyPart);
    while (!losing.signal.aborted) {
      const lostIn = setTimeout(() => lose(), Math.max(0, untilMs - clock.monotonic()));
      await pause(ttlMs / renewalsPerTtl, losing.signal);
      if (!losing.signal.aborted) {
        const renewedAtMs = clock.monotonic();
        const renewed = await unlessUnavailable(leases.renew(lease, ttlMs));
        if (renewed === false) lose();
        if (renewed === true) untilMs = renewedAtMs + ttlMs * (1 - safetyPart);
      }
      clearTimeout(lostIn);
    }
    function lose(): void {
      leading = false;
      losing.abort();
    }
  }

  /** `undefined` when the storage is unavailable: the next attempt shows what was decided. */
  async function unlessUnavailable<T>(pending: Promise<T>): Promise<T | undefined> {
    try {
      return await pending;
    } catch (error) {
      if (!(error instanceof Unavailable)) options.onError(error);
      return undefined;
    }
  }

  const ended = seek();
  return {
    isLeader: () => leading,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
