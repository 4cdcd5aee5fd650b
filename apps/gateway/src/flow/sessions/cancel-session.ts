/** Cancels a session for its user (contract/sessions#life-cycle). */

import type { RouteRefusal } from '../../api/route.ts';
import type { ExpireParts } from './expire-sessions.ts';
import { lookAtSession } from './find-session.ts';
import type { SessionRecord } from './session.ts';
import { withSessionLease } from './session-lease.ts';
import { noSession, sessionBusy, sessionOver } from './session-refusals.ts';
import { transitionOf } from './session-transition.ts';

type Cancelled = { readonly ok: true };

/** Repeating it changes nothing. `conflict`: the session ended in another way, or a submission is running in it. Throws `Unavailable`. */
export async function cancelSession(
  parts: ExpireParts,
  userId: string,
  sessionId: string,
  concerns?: (appId: string) => void,
): Promise<Cancelled | RouteRefusal> {
  const seen = await endOf(parts, userId, sessionId);
  if (seen !== 'active') return seen;
  const outcome = await withSessionLease(parts, { sessionId }, async ({ snapshot, commit }) => {
    const { session } = snapshot;
    concerns?.(session.appId);
    const events = [{ type: 'session_cancelled', data: {} }];
    const change = { status: 'cancelled', step: session.step, events } as const;
    // Without bounds: a user who keeps too much may always end a session.
    return (await commit(transitionOf(session, change, { ...parts, nowMs: parts.clock.now() }))) === 'committed';
  });
  if (outcome === true) return { ok: true };
  if (outcome === 'running') return sessionBusy;
  // The session ended meanwhile, or another request continued it.
  const end = await endOf(parts, userId, sessionId);
  return end === 'active' ? sessionBusy : end;
}

/** The outcome when there is nothing to cancel; `active` when there is. */
async function endOf(
  parts: ExpireParts,
  userId: string,
  sessionId: string,
): Promise<Cancelled | RouteRefusal | (SessionRecord['status'] & 'active')> {
  const snapshot = await lookAtSession(parts, userId, sessionId);
  if (snapshot === undefined) return noSession;
  const { status } = snapshot.session;
  if (status === 'cancelled') return { ok: true };
  if (status !== 'active') return sessionOver(status);
  return snapshot.isLeased ? sessionBusy : status;
}
