/** Why something cannot be done in a session, in the words that callers read (contract/errors#problemdetails; contract/flow-apps#sessions). */

import type { SessionStatus } from '@flowgate/client/flow-wire';
import type { RouteRefusal } from '../../api/route.ts';
import { refused } from '../../platform/result.ts';
import type { KeptBounds, NoRoom } from './session-store.ts';

/** Somebody else's reads the same (contract/conventions). */
export const noSession: RouteRefusal = refused('not-found', 'There is no such session.');

/** One at a time: a moment later it may be free. */
export const sessionBusy: RouteRefusal = {
  ...refused('conflict', 'Another request is running in this session; try again in a moment.'),
  retryable: true,
};

/** One at a time for each key: what comes of it is found by sending it again. */
export const startBusy: RouteRefusal = {
  ...refused('conflict', 'Another start with this Idempotency-Key is running; try again in a moment.'),
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

/** `app-data-full` is the app's doing, and it may be tried again when there is less; `user-full` is the user's. */
export function noRoom(lack: NoRoom, { appDataBytes, appDataNames, userBytes }: KeptBounds): RouteRefusal {
  if (lack === 'app-data-full')
    return {
      ...refused(
        'bad-gateway',
        `The Flow App's answer makes its data about this user more than ${appDataBytes} bytes of JSON or ${appDataNames} names, and shrinks neither.`,
      ),
      retryable: false,
    };
  return refused(
    'conflict',
    `Your sessions and what apps keep for you have ${userBytes} bytes already: cancel sessions that you do not need. What is over is removed in time.`,
  );
}

export function sessionOver(status: SessionStatus): RouteRefusal {
  return refused('conflict', `The session is ${status}.`);
}
