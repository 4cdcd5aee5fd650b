/** What a stream of events needs to know of its session, and how it asks for it. `sessions/` answers. */

import type { SessionStatus } from '@flowgate/client/flow-wire';
import type { RouteRefusal } from '../../api/route.ts';
import type { Ok } from '../../platform/result.ts';

export type FollowedSession = {
  readonly sessionId: string;
  readonly status: SessionStatus;
  /** Of the newest event. */
  readonly lastSequence: number;
};

/** A refusal when the session is absent or another user's. Throws `Unavailable`. */
export type FindFollowedSession = (userId: string, sessionId: string) => Promise<Ok<FollowedSession> | RouteRefusal>;
