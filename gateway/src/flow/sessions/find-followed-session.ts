/** Finds the session whose events somebody reads or follows. */

import { ok } from '../../platform/result.ts';
import { isTypeId } from '../../platform/type-id.ts';
import type { FindFollowedSession } from '../events/followed-session.ts';
import { noSession } from './session-refusals.ts';
import type { SessionStore } from './session-store.ts';

/** As it is stored: reading events expires nothing. */
export function createFindFollowedSession(store: Pick<SessionStore, 'find'>): FindFollowedSession {
  return async (userId, sessionId) => {
    // What is no id of ours may hold what a database cannot take.
    const found = isTypeId('ses', sessionId) ? await store.find(userId, sessionId) : undefined;
    if (found === undefined) return noSession;
    const { status, lastSequence } = found.session;
    return ok({ sessionId: found.session.sessionId, status, lastSequence });
  };
}
