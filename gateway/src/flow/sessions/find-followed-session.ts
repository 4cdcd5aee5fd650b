/** Finds the session whose events are read or followed. */

import { ok } from '../../platform/result.ts';
import { isTypeId } from '../../platform/type-id.ts';
import type { FindFollowedSession } from '../events/followed-session.ts';
import { noSession } from './session-refusals.ts';
import type { SessionStore } from './session-store.ts';

/** Returns the session as it is stored: reading events does not expire it. */
export function createFindFollowedSession(store: Pick<SessionStore, 'find'>): FindFollowedSession {
  return async (userId, sessionId) => {
    // Other texts may contain what a database does not accept.
    const found = isTypeId('ses', sessionId) ? await store.find(userId, sessionId) : undefined;
    if (found === undefined) return noSession;
    const { status, lastSequence } = found.session;
    return ok({ sessionId: found.session.sessionId, status, lastSequence });
  };
}
