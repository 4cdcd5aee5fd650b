/** What happened in a session, in the order in which it happened. */

import type { FlowEvent, JsonMembers } from '@flowgate/client/flow-wire';
import { isoTime } from '../../platform/iso-time.ts';

/** The platform's own types; every other one has to be declared by the app's version. */
export const platformEventTypes = [
  'session_created',
  'step_submitted',
  'session_completed',
  'session_cancelled',
  'session_expired',
  'session_failed',
] as const;

/** The platform's, too, and in a session's log alone: nobody can subscribe to it, and no app may declare it. */
export const loggedEventTypes = ['subscription_disabled'] as const;

export type PlatformEventType = (typeof platformEventTypes)[number];

export type FlowEventRecord = {
  readonly eventId: string;
  readonly sessionId: string;
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly type: string;
  readonly atMs: number;
  /** As it goes out: with `sessionId`, `appId`, `version` and `stateVersion`. Holds no field values. */
  readonly data: FlowEvent['data'] & JsonMembers;
};

export function flowEventView({ eventId, sequence, type, atMs, data }: FlowEventRecord): FlowEvent {
  return { id: eventId, sequence, type, timestamp: isoTime(atMs), data };
}
