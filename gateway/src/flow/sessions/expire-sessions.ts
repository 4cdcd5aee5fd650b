/** Ends sessions whose time is over: in rounds, and whenever somebody looks at one. */

import { pause } from '../../platform/coordination/pause.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import type { SessionRecord } from './session.ts';
import { withSessionLease } from './session-lease.ts';
import type { SessionParts } from './session-parts.ts';
import { transitionOf } from './session-transition.ts';

export type ExpireParts = Pick<
  SessionParts,
  'store' | 'leaseMs' | 'inHand' | 'newHolder' | 'changed' | 'log' | 'clock' | 'newEventId' | 'sessionTtlMs'
>;

const perRound = 100;
const startsPerRound = 1_000;
const roundPauseMs = 5_000;

export function isDue(session: Pick<SessionRecord, 'status' | 'expiresAtMs'>, nowMs: number): boolean {
  return session.status === 'active' && session.expiresAtMs <= nowMs;
}

/** Whether it did: a session in which somebody works does not expire meanwhile. Throws `Unavailable`. */
export async function expireSession(parts: ExpireParts, sessionId: string): Promise<boolean> {
  const outcome = await withSessionLease(parts, sessionId, undefined, async ({ snapshot, commit }) => {
    const { session } = snapshot;
    const nowMs = parts.clock.now();
    if (!isDue(session, nowMs)) return false;
    const change = { status: 'expired', step: session.step, events: [{ type: 'session_expired', data: {} }] } as const;
    return (await commit(transitionOf(session, change, { ...parts, nowMs }))) === 'committed';
  });
  return outcome === true;
}

/** One round: everything that is due now. Answers how many expired. Throws `Unavailable`. */
export async function expireDueSessions(parts: ExpireParts, signal: AbortSignal): Promise<number> {
  let expired = 0;
  for (;;) {
    const due = await parts.store.dueForExpiry(parts.clock.now(), perRound);
    const before = expired;
    for (const sessionId of due) {
      if (signal.aborted) return expired;
      if (await expireOrReport(parts, sessionId)) expired += 1;
    }
    // None of a whole round: others are at work in them.
    if (due.length < perRound || expired === before) return expired;
  }
}

/** The longest over comes first in every round: one that cannot be ended must not keep all others from it. */
async function expireOrReport(parts: ExpireParts, sessionId: string): Promise<boolean> {
  try {
    return await expireSession(parts, sessionId);
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    parts.log.error('flow.expiry-failed', { sessionId, error: String(error) });
    return false;
  }
}

/** The background job, for one leader (`runWhileLeader`): rounds until the signal. Throws `Unavailable`; it is then begun again. */
export async function expireSessions(
  parts: ExpireParts & Pick<SessionParts, 'starts'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const expired = await expireDueSessions(parts, signal);
    await parts.starts.forgetEnded(startsPerRound);
    if (expired > 0) parts.log.info('flow.sessions-expired', { count: expired });
    await pause(roundPauseMs, signal);
  }
}
