/** Renews a lease while a piece of work runs, and always releases it. */

import { backOffMs } from '@flowgate/async/back-off';
import { pause } from '@flowgate/async/bounded-waits';
import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Log } from '@flowgate/telemetry/log';

export type LeaseDeps = {
  readonly leaseMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
};

/** A lease as its storage offers it. */
export type StoredLease = {
  readonly renew: (ttlMs: number) => Promise<boolean>;
  readonly release: () => Promise<void>;
  /** Monotonic time before the storage was asked for the lease. */
  readonly askedAtMs: number;
};

export type KeptLease = {
  /**
   * Whether the lease is still ours. Answered from memory, unless the process was suspended or renewals failed: then the storage is asked, and its `Unavailable` may be thrown.
   */
  readonly isOurs: () => Promise<boolean>;
  /** The work has ended the lease itself, so that it is not released. */
  readonly used: () => void;
};

/** What the storage said last about the lease. `heardAtMs`: monotonic time before it was asked. */
type LeaseState = { state: 'ours' | 'lost' | 'used'; heardAtMs: number };

/** A lease is renewed this often within its time, so that two renewals may fail before it expires. */
const renewalsPerLease = 3;
/** For this part of its time after the last renewal a lease is certainly ours; this leaves room for one failed renewal. */
const safePart = 0.7;
/** Pauses between attempts to release a lease while the storage is unavailable: they double. */
const releasePauses = { firstMs: 50, maxMs: 1_000 };

/** Runs the work under the lease. Throws what the work throws. */
export async function withLease<T>(
  deps: LeaseDeps,
  lease: StoredLease,
  work: (hold: KeptLease) => Promise<T>,
): Promise<T> {
  const { leaseMs, clock } = deps;
  const leaseState: LeaseState = { state: 'ours', heardAtMs: lease.askedAtMs };
  const stopRenewing = keepRenewing(deps, lease, leaseState);
  try {
    return await work({
      async isOurs() {
        const isKnown = clock.monotonic() - leaseState.heardAtMs < leaseMs * safePart;
        if (leaseState.state === 'ours' && !isKnown) await renew(deps, lease, leaseState);
        return leaseState.state === 'ours';
      },
      used() {
        leaseState.state = 'used';
      },
    });
  } finally {
    stopRenewing();
    // Also after a commit without a reply: if it was done, this changes nothing; if not, it cannot be done any more.
    if (leaseState.state === 'ours') await letGo(deps, lease, leaseState);
  }
}

/** Renews until the result is called or somebody else has acquired the lease. While the storage is unavailable it tries again; the fencing token keeps late commits out. */
function keepRenewing(deps: LeaseDeps, lease: StoredLease, leaseState: LeaseState): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout>;
  const arm = () => {
    timer = setTimeout(tryOnce, deps.leaseMs / renewalsPerLease);
  };
  const tryOnce = async () => {
    if (leaseState.state !== 'ours') return;
    try {
      await renew(deps, lease, leaseState);
    } catch (error) {
      if (!(error instanceof Unavailable)) deps.log.error('flow.renewal-failed', { error: String(error) });
    }
    if (!isOver) arm();
  };
  arm();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

async function renew({ leaseMs, clock }: LeaseDeps, lease: StoredLease, leaseState: LeaseState): Promise<void> {
  const askedAtMs = clock.monotonic();
  const isRenewed = await lease.renew(leaseMs);
  if (leaseState.state !== 'ours') return;
  if (isRenewed) leaseState.heardAtMs = Math.max(leaseState.heardAtMs, askedAtMs);
  else leaseState.state = 'lost';
}

/** Resolves after the first attempt. If that fails, releasing is tried again until the lease expires. */
async function letGo(deps: LeaseDeps, lease: StoredLease, { heardAtMs }: LeaseState): Promise<void> {
  if (!(await release(deps, lease))) void keepLettingGo(deps, lease, heardAtMs + deps.leaseMs);
}

async function keepLettingGo(deps: LeaseDeps, lease: StoredLease, endsAtMs: number): Promise<void> {
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
