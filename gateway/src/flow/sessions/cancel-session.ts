/** Cancels a session at its user's wish (contract/flow-apps#sessions). */

import type { RouteRefusal } from '../../api/route.ts';
import type { ExpireParts } from './expire-sessions.ts';
import { lookAtSession } from './find-session.ts';
import type { SessionRecord } from './session.ts';
import { withSessionLease } from './session-lease.ts';
import { noSession, sessionBusy, sessionOver } from './session-refusals.ts';
import { transitionOf } from './session-transition.ts';

type Cancelled = { readonly ok: true };

/** Again changes nothing. `conflict`: it is over in another way, or a submission runs in it. Throws `Unavailable`. */
export async function cancelSession(
  parts: ExpireParts,
  userId: string,
  sessionId: string,
): Promise<Cancelled | RouteRefusal> {
  const seen = await endOf(parts, userId, sessionId);
  if (seen !== 'active') return seen;
  const outcome = await withSessionLease(parts, sessionId, undefined, async ({ snapshot, commit }) => {
    const { session } = snapshot;
    const events = [{ type: 'session_cancelled', data: {} }];
    const change = { status: 'cancelled', step: session.step, events } as const;
    // Without bounds: who keeps too much may always end something.
    return (await commit(transitionOf(session, change, { ...parts, nowMs: parts.clock.now() }))) === 'committed';
  });
  if (outcome === true) return { ok: true };
  if (outcome === 'running') return sessionBusy;
  // It ended in between, or somebody else went on in it.
  const end = await endOf(parts, userId, sessionId);
  return end === 'active' ? sessionBusy : end;
}

/** What cancelling comes to without doing anything; `active` when something is to be done. */
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
  return snapshot.isClaimed ? sessionBusy : status;
}
