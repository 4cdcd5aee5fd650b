/** One worker at a time in a session: claims it, keeps the claim alive while the work goes on, and lets go whatever comes of it. */

import type { SessionChanged } from '../events/session-watch.ts';
import type { KeptBounds, NoRoom, SessionSnapshot, SessionStore, Transition } from './session-store.ts';
import { type LeaseParts, withLease } from './with-lease.ts';

export type SessionLeaseParts = LeaseParts & {
  readonly store: Pick<SessionStore, 'claim' | 'renew' | 'release' | 'commit'>;
  /** What this process works in, sessions and keys of starts: copies of a request need not ask the storage who has it. */
  readonly inHand: Set<string>;
  /** A name for each attempt, unique over all gateways. */
  readonly newHolder: () => string;
  readonly changed: SessionChanged;
};

export type LeasedSession = {
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

/** `running`: somebody else works in it. `over`: there is nothing to be done in it any more. Throws what the work and the claim throw. */
export async function withSessionLease<T>(
  parts: SessionLeaseParts,
  sessionId: string,
  idempotencyKey: string | undefined,
  work: (held: LeasedSession) => Promise<T>,
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
  parts: SessionLeaseParts,
  sessionId: string,
  idempotencyKey: string | undefined,
  work: (held: LeasedSession) => Promise<T>,
): Promise<T | 'running' | 'over'> {
  const { store, leaseMs, clock } = parts;
  const askedAtMs = clock.monotonic();
  const claimed = await store.claim(sessionId, parts.newHolder(), leaseMs, idempotencyKey);
  if (claimed.kind !== 'claimed') return claimed.kind;
  const { lease, snapshot } = claimed;
  const held = { askedAtMs, renew: (ttlMs: number) => store.renew(lease, ttlMs), release: () => store.release(lease) };
  return withLease(parts, held, ({ isOurs, used }) =>
    work({
      snapshot,
      isOurs,
      async commit(transition, bounds) {
        const outcome = await store.commit(lease, transition, bounds);
        if (outcome !== 'committed') return outcome;
        used();
        parts.changed(sessionId);
        return outcome;
      },
    }),
  );
}
