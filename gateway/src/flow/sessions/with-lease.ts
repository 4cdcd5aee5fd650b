/** Keeps a lease for as long as a piece of work goes on, and lets go of it whatever comes of that. */

import type { Clock } from '../../platform/clock.ts';
import { pause } from '../../platform/coordination/pause.ts';
import type { Log } from '../../platform/log.ts';
import { Unavailable } from '../../platform/unavailable.ts';

export type LeaseParts = {
  readonly leaseMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
};

/** One lease in its storage. */
export type StoredLease = {
  readonly renew: (ttlMs: number) => Promise<boolean>;
  readonly release: () => Promise<void>;
  /** By the monotonic clock, before the storage was asked for it. */
  readonly askedAtMs: number;
};

export type KeptLease = {
  /**
   * Whether nobody else can have it. A process that stood still for a while, or whose renewals failed, asks the storage and may throw its `Unavailable`; otherwise it is known.
   */
  readonly isOurs: () => Promise<boolean>;
  /** The lease ended with what was just done: nothing is to be let go. */
  readonly used: () => void;
};

/** What the storage said last about a lease: that it was ours, counted from before it was asked, or that it is not. */
type Standing = { state: 'ours' | 'lost' | 'used'; heardAtMs: number };

/** Renewed at this part of the time, so that two renewals may fail before somebody else may claim it. */
const renewalsPerLease = 3;
/** Of a lease's time since the storage was last heard: as long as it is surely ours, with room for one renewal that failed. */
const safePart = 0.7;
/** Between two attempts to let go of it while the storage is away; twice as long each time. */
const shortestReleasePauseMs = 50;
const longestReleasePauseMs = 1_000;

/** Throws what the work throws. */
export async function withLease<T>(
  parts: LeaseParts,
  lease: StoredLease,
  work: (hold: KeptLease) => Promise<T>,
): Promise<T> {
  const { leaseMs, clock } = parts;
  const ending = new AbortController();
  const standing: Standing = { state: 'ours', heardAtMs: lease.askedAtMs };
  void keepRenewing(parts, lease, standing, ending.signal);
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
    ending.abort();
    // Also after a commit whose answer was lost: if it was done this changes nothing, and if it was not, it cannot be done any more.
    if (standing.state === 'ours') await letGo(parts, lease, standing);
  }
}

/** Goes on until the end, or until somebody else has claimed it. A storage that is away is asked again: the fence is what keeps a late commit out. */
async function keepRenewing(
  parts: LeaseParts,
  lease: StoredLease,
  standing: Standing,
  ended: AbortSignal,
): Promise<void> {
  for (;;) {
    await pause(parts.leaseMs / renewalsPerLease, ended);
    if (ended.aborted || standing.state !== 'ours') return;
    try {
      await renew(parts, lease, standing);
    } catch (error) {
      if (!(error instanceof Unavailable)) parts.log.error('flow.renewal-failed', { error: String(error) });
    }
  }
}

async function renew({ leaseMs, clock }: LeaseParts, lease: StoredLease, standing: Standing): Promise<void> {
  const askedAtMs = clock.monotonic();
  const isRenewed = await lease.renew(leaseMs);
  if (standing.state !== 'ours') return;
  if (isRenewed) standing.heardAtMs = Math.max(standing.heardAtMs, askedAtMs);
  else standing.state = 'lost';
}

/** Resolves after the first attempt: what cannot be let go now is let go as soon as the storage is there again, or is free when its time is over. */
async function letGo(parts: LeaseParts, lease: StoredLease, { heardAtMs }: Standing): Promise<void> {
  if (!(await release(parts, lease))) void keepLettingGo(parts, lease, heardAtMs + parts.leaseMs);
}

async function keepLettingGo(parts: LeaseParts, lease: StoredLease, endsAtMs: number): Promise<void> {
  const { signal } = new AbortController();
  for (
    let waitMs = shortestReleasePauseMs;
    parts.clock.monotonic() < endsAtMs;
    waitMs = Math.min(2 * waitMs, longestReleasePauseMs)
  ) {
    await pause(waitMs, signal);
    if (await release(parts, lease)) return;
  }
}

/** `false` when it is worth another try. */
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
