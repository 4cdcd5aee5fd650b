/** One worker at a time in a session: claims it, keeps the claim alive while the work goes on, and lets go whatever comes of it. */

import type { Lease } from '../platform/claims/lease-store.ts';
import { pause } from '../platform/claims/pause.ts';
import type { Log } from '../platform/log.ts';
import { Unavailable } from '../platform/unavailable.ts';
import type { SessionSnapshot, SessionStore, Transition } from './session-store.ts';
import type { SessionChanged } from './session-watch.ts';

export type HoldParts = {
  readonly store: Pick<SessionStore, 'claim' | 'renew' | 'release' | 'commit'>;
  readonly leaseMs: number;
  /** A name for each attempt, unique over all gateways. */
  readonly newHolder: () => string;
  readonly changed: SessionChanged;
  readonly log: Log;
};

export type Held = {
  /** As it was after the claim. */
  readonly snapshot: SessionSnapshot;
  /** Somebody else has the session by now: going on is for nothing. */
  readonly isLost: () => boolean;
  /** As `SessionStore.commit`; once, as the last thing. */
  readonly commit: (transition: Transition) => Promise<boolean>;
};

/** Renewed at this part of the time, so that two renewals may fail before somebody else may claim it. */
const renewalsPerLease = 3;

/** `running`: somebody else works in it. `over`: there is nothing to be done in it any more. Throws what the work and the claim throw. */
export async function holdSession<T>(
  parts: HoldParts,
  sessionId: string,
  idempotencyKey: string | undefined,
  work: (held: Held) => Promise<T>,
): Promise<T | 'running' | 'over'> {
  const { store, leaseMs } = parts;
  const claimed = await store.claim(sessionId, parts.newHolder(), leaseMs, idempotencyKey);
  if (claimed.kind !== 'claimed') return claimed.kind;
  const { lease, snapshot } = claimed;
  const ending = new AbortController();
  let hold: 'ours' | 'lost' | 'used' = 'ours';
  void keepRenewing(parts, lease, ending.signal).then((lost) => {
    if (lost && hold === 'ours') hold = 'lost';
  });
  try {
    return await work({
      snapshot,
      isLost: () => hold === 'lost',
      async commit(transition) {
        const committed = await store.commit(lease, transition);
        if (!committed) return false;
        hold = 'used';
        parts.changed(sessionId);
        return true;
      },
    });
  } finally {
    ending.abort();
    // Also after a commit whose answer was lost: if it was done this changes nothing, and if it was not, it cannot be done any more.
    if (hold === 'ours') await letGo(parts, lease);
  }
}

/** Resolves at the end, or with `true` when somebody else has claimed it. A storage that is away is asked again: the fence is what keeps a late commit out. */
async function keepRenewing({ store, leaseMs, log }: HoldParts, lease: Lease, ended: AbortSignal): Promise<boolean> {
  for (;;) {
    await pause(leaseMs / renewalsPerLease, ended);
    if (ended.aborted) return false;
    try {
      if (!(await store.renew(lease, leaseMs))) return true;
    } catch (error) {
      if (!(error instanceof Unavailable)) log.error('flow.renewal-failed', { error: String(error) });
    }
  }
}

/** What cannot be let go now is free when its time is over. */
async function letGo({ store, log }: HoldParts, lease: Lease): Promise<void> {
  try {
    await store.release(lease);
  } catch (error) {
    if (!(error instanceof Unavailable)) log.error('flow.release-failed', { error: String(error) });
  }
}
