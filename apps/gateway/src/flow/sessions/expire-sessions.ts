/** Expires sessions whose time is over, in rounds and whenever a session is read. */

import { pause } from '@flowgate/async/bounded-waits';
import { Unavailable } from '@flowgate/base/unavailable';
import type { SessionRecord } from './session.ts';
import type { SessionDeps } from './session-deps.ts';
import { withSessionLease } from './session-lease.ts';
import { transitionOf } from './session-transition.ts';

export type ExpireDeps = Pick<
  SessionDeps,
  'store' | 'leaseMs' | 'inFlight' | 'newHolder' | 'changed' | 'log' | 'clock' | 'newEventId' | 'sessionTtlMs'
>;

const perRound = 100;
const startsPerRound = 1_000;
const roundPauseMs = 5_000;

export function isDue(session: Pick<SessionRecord, 'status' | 'expiresAtMs'>, nowMs: number): boolean {
  return session.status === 'active' && session.expiresAtMs <= nowMs;
}

/** True if it expired the session. A session does not expire while a request is running in it. Throws `Unavailable`. */
export async function expireSession(deps: ExpireDeps, sessionId: string): Promise<boolean> {
  const outcome = await withSessionLease(deps, { sessionId }, async ({ snapshot, commit }) => {
    const { session } = snapshot;
    const nowMs = deps.clock.now();
    if (!isDue(session, nowMs)) return false;
    const change = { status: 'expired', step: session.step, events: [{ type: 'session_expired', data: {} }] } as const;
    return (await commit(transitionOf(session, change, { ...deps, nowMs }))) === 'committed';
  });
  return outcome === true;
}

/** One round: expires all sessions that are due and returns how many expired. Throws `Unavailable`. */
export async function expireDueSessions(deps: ExpireDeps, signal: AbortSignal): Promise<number> {
  let expired = 0;
  for (;;) {
    const due = await deps.store.dueForExpiry(deps.clock.now(), perRound);
    const before = expired;
    for (const sessionId of due) {
      if (signal.aborted) return expired;
      if (await expireOrReport(deps, sessionId)) expired += 1;
    }
    // None of the batch expired: requests are running in all of them.
    if (due.length < perRound || expired === before) return expired;
  }
}

/** Logs a bug instead of throwing it. Every round begins with the most overdue session, and one that cannot be ended must not block the others. */
async function expireOrReport(deps: ExpireDeps, sessionId: string): Promise<boolean> {
  try {
    return await expireSession(deps, sessionId);
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    deps.log.error('flow.expiry-failed', { sessionId, error: String(error) });
    return false;
  }
}

/** The background job of the leader (`runWhileLeader`): rounds until the signal is aborted. Throws `Unavailable`; the leader then starts the job again. */
export async function expireSessions(
  deps: ExpireDeps & Pick<SessionDeps, 'starts'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const expired = await expireDueSessions(deps, signal);
    await deps.starts.forgetEnded(startsPerRound);
    if (expired > 0) deps.log.info('flow.sessions-expired', { count: expired });
    await pause(roundPauseMs, signal);
  }
}
