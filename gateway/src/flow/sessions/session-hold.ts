/** One worker at a time in a session: claims it, keeps the claim alive while the work goes on, and lets go whatever comes of it. */

import type { Lease } from '../../platform/claims/lease-store.ts';
import { pause } from '../../platform/claims/pause.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import type { SessionChanged } from '../events/session-watch.ts';
import type { KeptBounds, NoRoom, SessionSnapshot, SessionStore, Transition } from './session-store.ts';

export type HoldParts = {
  readonly store: Pick<SessionStore, 'claim' | 'renew' | 'release' | 'commit'>;
  readonly leaseMs: number;
  /** Sessions that this process works in: copies of a submission need not ask the storage who has it. */
  readonly inHand: Set<string>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** A name for each attempt, unique over all gateways. */
  readonly newHolder: () => string;
  readonly changed: SessionChanged;
  readonly log: Log;
};

export type Held = {
  /** As it was after the claim. */
  readonly snapshot: SessionSnapshot;
  /**
   * Before anything that cannot be taken back: whether nobody else can have the session. A process that stood still for a while, or whose renewals failed, asks the storage
   * and may throw its `Unavailable`; otherwise it is known. After `false` going on is for nothing.
   */
  readonly isOurs: () => Promise<boolean>;
  /** As `SessionStore.commit`; once, as the last thing. */
  readonly commit: (transition: Transition, bounds?: KeptBounds) => Promise<'committed' | 'lost' | NoRoom>;
};

/** What the storage said last about a lease: that it was ours, counted from before it was asked, or that it is not. */
type Standing = { state: 'ours' | 'lost' | 'used'; heardAtMs: number };

/** Renewed at this part of the time, so that two renewals may fail before somebody else may claim it. */
const renewalsPerLease = 3;
/** Of a lease's time since the storage was last heard: as long as it is surely ours, with room for one renewal that failed. */
const safePart = 0.7;
/** Between two attempts to let go of a session while the storage is away; twice as long each time. */
const shortestReleasePauseMs = 50;
const longestReleasePauseMs = 1_000;

/** `running`: somebody else works in it. `over`: there is nothing to be done in it any more. Throws what the work and the claim throw. */
export async function holdSession<T>(
  parts: HoldParts,
  sessionId: string,
  idempotencyKey: string | undefined,
  work: (held: Held) => Promise<T>,
): Promise<T | 'running' | 'over'> {
  const { inHand } = parts;
  if (inHand.has(sessionId)) return 'running';
  inHand.add(sessionId);
  try {
    return await claimAndWork(parts, sessionId, idempotencyKey, work);
  } finally {
    inHand.delete(sessionId);
  }
}

async function claimAndWork<T>(
  parts: HoldParts,
  sessionId: string,
  idempotencyKey: string | undefined,
  work: (held: Held) => Promise<T>,
): Promise<T | 'running' | 'over'> {
  const { store, leaseMs, clock } = parts;
  const askedAtMs = clock.monotonic();
  const claimed = await store.claim(sessionId, parts.newHolder(), leaseMs, idempotencyKey);
  if (claimed.kind !== 'claimed') return claimed.kind;
  const { lease, snapshot } = claimed;
  const ending = new AbortController();
  const standing: Standing = { state: 'ours', heardAtMs: askedAtMs };
  void keepRenewing(parts, lease, standing, ending.signal);
  try {
    return await work({
      snapshot,
      async isOurs() {
        const isKnown = clock.monotonic() - standing.heardAtMs < leaseMs * safePart;
        if (standing.state === 'ours' && !isKnown) await renew(parts, lease, standing);
        return standing.state === 'ours';
      },
      async commit(transition, bounds) {
        const outcome = await store.commit(lease, transition, bounds);
        if (outcome !== 'committed') return outcome;
        standing.state = 'used';
        parts.changed(sessionId);
        return outcome;
      },
    });
  } finally {
    ending.abort();
    // Also after a commit whose answer was lost: if it was done this changes nothing, and if it was not, it cannot be done any more.
    if (standing.state === 'ours') await letGo(parts, lease, standing);
  }
}

/** Goes on until the end, or until somebody else has claimed it. A storage that is away is asked again: the fence is what keeps a late commit out. */
async function keepRenewing(parts: HoldParts, lease: Lease, standing: Standing, ended: AbortSignal): Promise<void> {
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

async function renew({ store, leaseMs, clock }: HoldParts, lease: Lease, standing: Standing): Promise<void> {
  const askedAtMs = clock.monotonic();
  const isRenewed = await store.renew(lease, leaseMs);
  if (standing.state !== 'ours') return;
  if (isRenewed) standing.heardAtMs = Math.max(standing.heardAtMs, askedAtMs);
  else standing.state = 'lost';
}

/** Resolves after the first attempt: what cannot be let go now is let go as soon as the storage is there again, or is free when its time is over. */
async function letGo(parts: HoldParts, lease: Lease, { heardAtMs }: Standing): Promise<void> {
  if (!(await release(parts, lease))) void keepLettingGo(parts, lease, heardAtMs + parts.leaseMs);
}

async function keepLettingGo(parts: HoldParts, lease: Lease, endsAtMs: number): Promise<void> {
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
async function release({ store, log }: HoldParts, lease: Lease): Promise<boolean> {
  try {
    await store.release(lease);
    return true;
  } catch (error) {
    if (error instanceof Unavailable) return false;
    log.error('flow.release-failed', { error: String(error) });
    return true;
  }
}
