/** Reads the present state of a session. A session whose time is over is expired first, even if no round has reached it. */

import { isTypeId } from '@flowgate/base/ids';
import type { Caller } from '../../api/caller.ts';
import type { RouteRefusal } from '../../api/route.ts';
import { type AppDeps, appRefusal } from '../registry/app-access.ts';
import { type ExpireDeps, expireSession, isDue } from './expire-sessions.ts';
import { noSession } from './session-refusals.ts';
import type { SessionSnapshot, SubmissionSnapshot } from './session-store.ts';
import { type Session, sessionView } from './session-wire.ts';

/** `undefined` if the session is absent or another user's. Throws `Unavailable`. */
export function lookAtSession(
  deps: ExpireDeps,
  userId: string,
  sessionId: string,
): Promise<SessionSnapshot | undefined> {
  return lookAt(deps, sessionId, () => deps.store.find(userId, sessionId));
}

/** The same for a submission. */
export function lookAtSubmission(
  deps: ExpireDeps,
  userId: string,
  sessionId: string,
  idempotencyKey: string,
): Promise<SubmissionSnapshot | undefined> {
  return lookAt(deps, sessionId, () => deps.store.findForSubmission(userId, sessionId, idempotencyKey));
}

async function lookAt<T extends SessionSnapshot>(
  deps: ExpireDeps,
  sessionId: string,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!isTypeId('ses', sessionId)) return undefined;
  const snapshot = await find();
  if (snapshot === undefined || snapshot.isLeased || !isDue(snapshot.session, deps.clock.now())) return snapshot;
  await expireSession(deps, sessionId);
  return find();
}

/** Throws `Unavailable`. */
export async function findSession(
  deps: ExpireDeps & AppDeps,
  caller: Caller,
  sessionId: string,
): Promise<{ readonly ok: true; readonly value: Session } | RouteRefusal> {
  const snapshot = await lookAtSession(deps, caller.userId, sessionId);
  if (snapshot === undefined) return noSession;
  const denied = await appRefusal(deps, caller, snapshot.session.appId);
  return denied ?? { ok: true, value: sessionView(snapshot.session) };
}
