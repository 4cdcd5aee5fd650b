/** Numbers the events of a session and adds the platform's members. */

import type { AppEvent } from '@flowgate/flow-format/app-responses/checked-response';
import type { FlowEventRecord } from '../events/flow-event.ts';
import type { SessionRecord } from './session.ts';

/** The platform's members override the app's data, so an app cannot claim another session, app or version. */
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
