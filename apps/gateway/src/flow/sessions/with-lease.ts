/** Renews a lease while a piece of work runs, and always releases it. */

import { backOffMs } from '@flowgate/async/back-off';
import { pause } from '@flowgate/async/bounded-waits';
import { HeldLease, type HeldLeaseOptions } from '@flowgate/async/held-lease';
import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Log } from '@flowgate/telemetry/log';

export type LeaseDeps = {
  readonly leaseMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
};

/** A lease as its storage offers it. */
export type StoredLease = Pick<HeldLeaseOptions, 'askedAtMs'> & {
  readonly renew: (ttlMs: number) => Promise<boolean>;
  readonly release: () => Promise<void>;
};

export type WorkLease = {
  /** Whether the lease is still ours. Asks the storage when the process was suspended or renewals failed; its `Unavailable` may be thrown. */
  readonly isOurs: () => Promise<boolean>;
  /** The work has ended the lease itself, so it is not released. */
  readonly used: () => void;
};

/** Pauses between attempts to release a lease while the storage is unavailable: they double. */
const releasePauses = { firstMs: 50, maxMs: 1_000 };

/** Runs the work under the lease. Throws what the work throws. */
export async function withLease<T>(
  deps: LeaseDeps,
  lease: StoredLease,
  work: (lease: WorkLease) => Promise<T>,
): Promise<T> {
  const { leaseMs, clock, log } = deps;
  let isUsed = false;
  const heldLease = new HeldLease({
    ttlMs: leaseMs,
    clock,
    askedAtMs: lease.askedAtMs,
    renew: () => lease.renew(leaseMs),
    onError: (error) => {
      if (!(error instanceof Unavailable)) log.error('flow.renewal-failed', { error: String(error) });
    },
  });
  try {
    return await work({
      isOurs: async () => !isUsed && (await heldLease.isOurs()),
      used() {
        isUsed = true;
      },
    });
  } finally {
    void heldLease.end();
    // Also after a commit without a reply: if it was done, this changes nothing; if not, it can no longer be done.
    if (!isUsed && !heldLease.isLost) await releaseOrRetry(deps, lease);
  }
}

/** Resolves after the first attempt. If that fails, releasing is tried again until the lease has expired. */
async function releaseOrRetry(deps: LeaseDeps, lease: StoredLease): Promise<void> {
  const endsAtMs = deps.clock.monotonic() + deps.leaseMs;
  if (!(await release(deps, lease))) void retryRelease(deps, lease, endsAtMs);
}

async function retryRelease(deps: LeaseDeps, lease: StoredLease, endsAtMs: number): Promise<void> {
  const { signal } = new AbortController();
  for (let attempt = 1; deps.clock.monotonic() < endsAtMs; attempt++) {
    await pause(backOffMs(releasePauses, attempt), signal);
    if (await release(deps, lease)) return;
  }
}

/** `false` when another attempt may help. */
async function release({ log }: LeaseDeps, lease: StoredLease): Promise<boolean> {
  try {
    await lease.release();
    return true;
  } catch (error) {
    if (error instanceof Unavailable) return false;
    log.error('flow.release-failed', { error: String(error) });
    return true;
  }
}
