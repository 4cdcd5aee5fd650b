/** Reads one session as it is now. A session whose time is over is expired first, even when no round has reached it yet. */

import type { Session } from '@flowgate/client/flow-wire';
import type { RouteRefusal } from '../../api/route.ts';
import { isTypeId } from '../../platform/type-id.ts';
import { type ExpireParts, expireSession, isDue } from './expire-sessions.ts';
import { noSession } from './session-refusals.ts';
import type { SessionSnapshot } from './session-store.ts';
import { sessionView } from './session-wire.ts';

/** `undefined` when the session is absent or another user's. Throws `Unavailable`. */
export async function lookAtSession(
  parts: ExpireParts,
  userId: string,
  sessionId: string,
  idempotencyKey?: string,
): Promise<SessionSnapshot | undefined> {
  if (!isTypeId('ses', sessionId)) return undefined;
  const snapshot = await parts.store.find(userId, sessionId, idempotencyKey);
  if (snapshot === undefined || snapshot.isLeased || !isDue(snapshot.session, parts.clock.now())) return snapshot;
  await expireSession(parts, sessionId);
  return parts.store.find(userId, sessionId, idempotencyKey);
}

/** Throws `Unavailable`. */
export async function findSession(
  parts: ExpireParts,
  userId: string,
  sessionId: string,
): Promise<{ readonly ok: true; readonly value: Session } | RouteRefusal> {
  const snapshot = await lookAtSession(parts, userId, sessionId);
  return snapshot === undefined ? noSession : { ok: true, value: sessionView(snapshot.session) };
}
