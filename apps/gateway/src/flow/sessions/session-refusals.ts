/** Refusals about sessions, with the sentences for callers (contract/errors#problemdetails; contract/sessions#life-cycle). */

import { refused } from '@flowgate/base/result';
import type { SessionStatus } from '@flowgate/flow-format/manifest/registry-members';
import type { RouteRefusal } from '../../api/route.ts';
import type { NoRoom, StorageBounds } from './session-store.ts';

/** The same for another user's session (contract/conventions). */
export const noSession: RouteRefusal = refused('not-found', 'There is no such session.');

/** One request runs in a session at a time; a retry a moment later may succeed. */
export const sessionBusy: RouteRefusal = {
  ...refused('conflict', 'Another request is running in this session; try again in a moment.'),
  retryable: true,
};

/** One start runs for each key at a time; a retry returns its result. */
export const startBusy: RouteRefusal = {
  ...refused('conflict', 'Another start with this Idempotency-Key is running; try again in a moment.'),
  retryable: true,
};

/** Another request continued the session while this one was running. A retry with the same key returns its outcome. */
export const sessionTakenOver: RouteRefusal = {
  ...refused('conflict', 'The session continued while this request was running; send it again with the same key.'),
  retryable: true,
};

export function tooManySessions(maxActive: number): RouteRefusal {
  return refused('conflict', `You already have ${maxActive} active sessions: finish or cancel one of them first.`);
}

/** `app-data-full` is caused by the app; `user-full` is caused by the user. */
export function noRoom(lack: NoRoom, { appDataBytes, appDataNames, userBytes }: StorageBounds): RouteRefusal {
  if (lack === 'app-data-full')
    return {
      ...refused(
        'bad-gateway',
        `The Flow App's answer would increase its data about this user above ${appDataBytes} bytes of JSON or ${appDataNames} names.`,
      ),
      retryable: false,
    };
  return refused(
    'conflict',
    `Your sessions and app data already have ${userBytes} bytes: cancel sessions that you do not need. Ended sessions are removed later.`,
  );
}

export function sessionOver(status: SessionStatus): RouteRefusal {
  return refused('conflict', `The session is ${status}.`);
}
