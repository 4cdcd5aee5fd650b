/** Why something cannot be done in a session, in the words that callers read (interface, ProblemDetails; decisions 8). */

import type { SessionStatus } from '@flowgate/client/flow-wire';
import type { RouteRefusal } from '../../access/route.ts';
import { refused } from '../../platform/result.ts';

/** Somebody else's reads the same (decisions 2). */
export const noSession: RouteRefusal = refused('not-found', 'There is no such session.');

/** One at a time: a moment later it may be free. */
export const sessionBusy: RouteRefusal = {
  ...refused('conflict', 'Another request is running in this session; try again in a moment.'),
  retryable: true,
};

/** Somebody else went on in the session while this request was under way: what has become of it is found by sending it again with the same key. */
export const sessionTakenOver: RouteRefusal = {
  ...refused('conflict', 'The session went on while this request was running; send it again with the same key.'),
  retryable: true,
};

export function tooManySessions(mostActive: number): RouteRefusal {
  return refused('conflict', `You have ${mostActive} active sessions already; finish or cancel one of them first.`);
}

export function sessionOver(status: SessionStatus): RouteRefusal {
  return refused('conflict', `The session is ${status}.`);
}
