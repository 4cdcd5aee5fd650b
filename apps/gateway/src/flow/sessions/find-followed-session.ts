/** Finds the session whose events are read or followed. */

import { isTypeId } from '@flowgate/base/ids';
import { ok } from '@flowgate/base/result';
import type { FindFollowedSession } from '../events/followed-session.ts';
import { type AppDeps, appRefusal } from '../registry/app-access.ts';
import { noSession } from './session-refusals.ts';
import type { SessionStore } from './session-store.ts';

/** Returns the session as stored: reading events does not expire it. */
export function createFindFollowedSession(
  deps: AppDeps & { readonly store: Pick<SessionStore, 'find'> },
): FindFollowedSession {
  return async (caller, sessionId) => {
    // Other texts may contain characters that a database does not accept.
    const found = isTypeId('ses', sessionId) ? await deps.store.find(caller.userId, sessionId) : undefined;
    if (found === undefined) return noSession;
    const denied = await appRefusal(deps, caller, found.session.appId);
    if (denied !== undefined) return denied;
    const { status, lastSequence } = found.session;
    return ok({ sessionId: found.session.sessionId, status, lastSequence });
  };
}
