/** The members of a session that a stream of events needs, and the function that finds the session. `sessions/` implements it. */

import type { Ok } from '@flowgate/base/result';
import type { SessionStatus } from '@flowgate/flow-format/manifest/registry-members';
import type { Caller } from '../../api/caller.ts';
import type { RouteRefusal } from '../../api/route.ts';

export type FollowedSession = {
  readonly sessionId: string;
  readonly status: SessionStatus;
  /** The sequence of the newest event. */
  readonly lastSequence: number;
};

/** A refusal if the session is absent or another user's, or if a policy denies its app. Throws `Unavailable`. */
export type FindFollowedSession = (caller: Caller, sessionId: string) => Promise<Ok<FollowedSession> | RouteRefusal>;
