/** Renews a lease while a piece of work runs, and always releases it. */

import { backOffMs } from '@flowgate/async/back-off';
import { pause } from '@flowgate/async/bounded-waits';
import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Log } from '@flowgate/telemetry/log';

export type LeaseParts = {
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
type Standing = { state: 'ours' | 'lost' | 'used'; heardAtMs: number };

/** A lease is renewed this often within its time, so that two renewals may fail before it expires. */
const renewalsPerLease = 3;
/** For this part of its time after the last renewal a lease is certainly ours; this leaves room for one failed renewal. */
const safePart = 0.7;
/** Pauses between attempts to release a lease while the storage is unavailable: they double. */
const releasePauses = { firstMs: 50, longestMs: 1_000 };

/** Runs the work under the lease. Throws what the work throws. */
export async function withLease<T>(
  parts: LeaseParts,
  lease: StoredLease,
  work: (hold: KeptLease) => Promise<T>,
): Promise<T> {
  const { leaseMs, clock } = parts;
  const standing: Standing = { state: 'ours', heardAtMs: lease.askedAtMs };
  const stopRenewing = keepRenewing(parts, lease, standing);
  try {
    return await work({
      async isOurs() {
        const isKnown = clock.monotonic() - standing.heardAtMs < leaseMs * safePart;
        if (standing.state === 'ours' && !isKnown) await renew(parts, lease, standing);
        return standing.state === 'ours';
      },
      used() {
        standing.state = 'used';
      },
    });
  } finally {
    stopRenewing();
    // Also after a commit without a reply: if it was done, this changes nothing; if not, it cannot be done any more.
    if (standing.state === 'ours') await letGo(parts, lease, standing);
  }
}

/** Renews until the result is called or somebody else has acquired the lease. While the storage is unavailable it tries again; the fencing token keeps late commits out. */
function keepRenewing(parts: LeaseParts, lease: StoredLease, standing: Standing): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout>;
  const arm = () => {
    timer = setTimeout(tryOnce, parts.leaseMs / renewalsPerLease);
  };
  const tryOnce = async () => {
    if (standing.state !== 'ours') return;
    try {
      await renew(parts, lease, standing);
    } catch (error) {
      if (!(error instanceof Unavailable)) parts.log.error('flow.renewal-failed', { error: String(error) });
    }
    if (!isOver) arm();
  };
  arm();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

async function renew({ leaseMs, clock }: LeaseParts, lease: StoredLease, standing: Standing): Promise<void> {
  const askedAtMs = clock.monotonic();
  const isRenewed = await lease.renew(leaseMs);
  if (standing.state !== 'ours') return;
  if (isRenewed) standing.heardAtMs = Math.max(standing.heardAtMs, askedAtMs);
  else standing.state = 'lost';
}

/** Resolves after the first attempt. If that fails, releasing is tried again until the lease expires. */
async function letGo(parts: LeaseParts, lease: StoredLease, { heardAtMs }: Standing): Promise<void> {
  if (!(await release(parts, lease))) void keepLettingGo(parts, lease, heardAtMs + parts.leaseMs);
}

async function keepLettingGo(parts: LeaseParts, lease: StoredLease, endsAtMs: number): Promise<void> {
  const { signal } = new AbortController();
  for (let attempt = 1; parts.clock.monotonic() < endsAtMs; attempt++) {
    await pause(backOffMs(releasePauses, attempt), signal);
    if (await release(parts, lease)) return;
  }
}

/** `false` when another attempt may help. */
async function release({ log }: LeaseParts, lease: StoredLease): Promise<boolean> {
  try {
    await lease.release();
    return true;
  } catch (error) {
    if (error instanceof Unavailable) return false;
    log.error('flow.release-failed', { error: String(error) });
    return true;
  }
}
