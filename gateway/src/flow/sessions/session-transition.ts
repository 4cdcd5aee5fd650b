/** One step of a session's life: what it is afterwards, and the events that tell of it. */

import type { JsonMembers, StepSpec } from '@flowgate/client/flow-wire';
import type { AppEvent, StepResponse } from '../app-responses/checked-response.ts';
import type { PlatformEventType } from '../registry/event-types.ts';
import type { SessionRecord } from './session.ts';
import { numberedEvents } from './session-events.ts';
import type { AppDataChange, Transition } from './session-store.ts';

/** A session before its first step has none. */
export type SessionBefore = Omit<SessionRecord, 'step'> & { readonly step?: StepSpec };

export type SessionChange = {
  readonly status: SessionRecord['status'];
  readonly step: StepSpec;
  /** Absent: unchanged. */
  readonly state?: JsonMembers;
  readonly appData?: AppDataChange;
  /** In the order in which they happened, without the platform's members. */
  readonly events: readonly AppEvent[];
};

export type TransitionParts = {
  readonly nowMs: number;
  readonly sessionTtlMs: number;
  readonly newEventId: () => string;
};

const noChange: AppDataChange = { set: {}, delete: [] };

/**
 * `stateVersion` grows by one. What happens in a session moves its end away. A session that is over keeps the end that it had, and nothing of what only its app needed: nobody
 * asks the app about it any more.
 */
export function transitionOf(before: SessionBefore, change: SessionChange, parts: TransitionParts): Transition {
  const atMs = Math.max(parts.nowMs, before.updatedAtMs);
  const { launchContext, ...kept } = before;
  const isActive = change.status === 'active';
  const session: SessionRecord = {
    ...kept,
    ...(isActive && launchContext !== undefined ? { launchContext } : {}),
    status: change.status,
    stateVersion: before.stateVersion + 1,
    step: change.step,
    state: isActive ? (change.state ?? before.state) : {},
    lastSequence: before.lastSequence + change.events.length,
    updatedAtMs: atMs,
    expiresAtMs: isActive ? atMs + parts.sessionTtlMs : before.expiresAtMs,
  };
  const events = numberedEvents(session, before.lastSequence, change.events, parts.newEventId);
  return { session, appData: change.appData ?? noChange, events };
}

/** What an app's answer changes: `first` is what the caller did, then comes what the app tells, then the end if it is one. */
export function changeByResponse(
  response: StepResponse,
  first: { type: PlatformEventType; data: JsonMembers },
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
