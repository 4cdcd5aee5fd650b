/** One leader for a background job: of all gateways one does the work, for as long as it holds the lease, and another takes over when it crashes. */

import { pause } from '@flowgate/async/bounded-waits';
import { HeldLease } from '@flowgate/async/held-lease';
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

/** Pauses between attempts to become the leader, within `ttlMs`. */
const attemptsPerTtl = 3;

export function runWhileLeader(options: LeaderOptions): Leadership {
  const { leases, name, holder, ttlMs = 15_000, clock, pauseMs = ttlMs / attemptsPerTtl } = options;
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

  async function lead(lease: Lease, askedAtMs: number): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, stopping.signal]);
    const end = () => {
      leading = false;
      ending.abort();
    };
    const renew = () => leases.renew(lease, ttlMs);
    const heldLease = new HeldLease({ ttlMs, clock, askedAtMs, renew, onError: reportError, onLost: end });
    leading = true;
    const watching = whileCertain(heldLease, ending.signal).then(end);
    try {
      if (!signal.aborted) await options.work(lease, signal);
    } catch (error) {
      if (!signal.aborted) reportError(error);
    }
    end();
    await Promise.all([watching, heldLease.end()]);
    await unlessUnavailable(leases.release(lease));
  }

  /** Resolves when another process may own the lease, or when the signal is aborted. */
  async function whileCertain(heldLease: HeldLease, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && heldLease.certainForMs > 0) await pause(heldLease.certainForMs, signal);
  }

  function reportError(error: unknown): void {
    if (!(error instanceof Unavailable)) options.onError(error);
  }

  /** `undefined` when the storage is unavailable: the next attempt shows what was decided. */
  async function unlessUnavailable<T>(pending: Promise<T>): Promise<T | undefined> {
    try {
      return await pending;
    } catch (error) {
      reportError(error);
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
