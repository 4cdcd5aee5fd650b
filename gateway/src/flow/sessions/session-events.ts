/** Numbers what happened in a session and puts the platform's members on it. */

import type { AppEvent } from '../app-responses/checked-response.ts';
import type { FlowEventRecord } from '../events/flow-event.ts';
import type { SessionRecord } from './session.ts';

/** An app's own data stands below: it cannot say that it is another session, app or version. */
export function numberedEvents(
  session: SessionRecord,
  lastSequence: number,
  events: readonly AppEvent[],
  newEventId: () => string,
): readonly FlowEventRecord[] {
  const { sessionId, appId, version, stateVersion, updatedAtMs } = session;
  return events.map(({ type, data }, at) => ({
    eventId: newEventId(),
    sessionId,
    sequence: lastSequence + at + 1,
    type,
    atMs: updatedAtMs,
    data: { ...data, sessionId, appId, version, stateVersion },
  }));
}
