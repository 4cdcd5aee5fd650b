/** A change of a session: the session afterwards, and the events that describe the change. */

import type { AppEvent, StepResponse } from '@flowgate/flow-format/app-responses/checked-response';
import type { StepSpec } from '@flowgate/flow-format/app-responses/step-wire';
import type { PlatformEventType } from '@flowgate/flow-format/manifest/event-types';
import type { JsonObject } from '@flowgate/json/json-object';
import type { FlowEventRecord } from '../events/flow-event.ts';
import type { SessionRecord } from './session.ts';
import type { AppDataChange, Transition } from './session-store.ts';

/** Before the start there is no step. */
export type SessionBefore = Omit<SessionRecord, 'step'> & { readonly step?: StepSpec };

export type SessionChange = {
  readonly status: SessionRecord['status'];
  readonly step: StepSpec;
  /** Absent: unchanged. */
  readonly state?: JsonObject;
  readonly appData?: AppDataChange;
  /** In order, without the platform's members. */
  readonly events: readonly AppEvent[];
};

export type TransitionDeps = {
  readonly nowMs: number;
  readonly sessionTtlMs: number;
  readonly newEventId: () => string;
};

const noChange: AppDataChange = { set: {}, delete: [] };

/**
 * Increases `stateVersion` by one and extends the expiry of an active session. An ended session retains its expiry, and loses `state` and `launchContext`, because its app is not
 * called again.
 */
export function transitionOf(before: SessionBefore, change: SessionChange, deps: TransitionDeps): Transition {
  const atMs = Math.max(deps.nowMs, before.updatedAtMs);
  const { launchContext, ...unchanged } = before;
  const isActive = change.status === 'active';
  const session: SessionRecord = {
    ...unchanged,
    ...(isActive && launchContext !== undefined ? { launchContext } : {}),
    status: change.status,
    stateVersion: before.stateVersion + 1,
    step: change.step,
    state: isActive ? (change.state ?? before.state) : {},
    lastSequence: before.lastSequence + change.events.length,
    updatedAtMs: atMs,
    expiresAtMs: isActive ? atMs + deps.sessionTtlMs : before.expiresAtMs,
  };
  const events = numberedEvents(session, before.lastSequence, change.events, deps.newEventId);
  return { session, appData: change.appData ?? noChange, events };
}

/** The change that an app response makes. Its events are `first`, which describes the caller's action, then those of the app, then the end of the session if it ends. */
export function changeByResponse(
  response: StepResponse,
  first: { type: PlatformEventType; data: JsonObject },
): SessionChange {
  const end: readonly AppEvent[] =
    response.status === 'active' ? [] : [{ type: `session_${response.status}` satisfies PlatformEventType, data: {} }];
  return {
    status: response.status,
    step: response.step,
    ...(response.state === undefined ? {} : { state: response.state }),
    appData: response.appData,
    events: [first, ...response.events, ...end],
  };
}

/** Numbers the events of a session and adds the platform's members. They override the app's data, so that an app cannot claim another session, app or version. */
function numberedEvents(
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
