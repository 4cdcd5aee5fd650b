/** The storage that events are read from; the transition of a session writes them. Every engine passes `flow/events/event-store.contract.ts`. */

import type { FlowEventRecord } from './flow-event.ts';

export type { FlowEventRecord } from './flow-event.ts';

/**
 * The outbox queue in which an event waits for delivery to an endpoint. The owner identifies the user, the partition key ends with a space and the subscription's id, and the payload is
 * the event's id.
 */
export const webhookQueue = 'flow webhooks';

/** `hasMore`: whether there are further events. */
export type EventsRead = { readonly events: readonly FlowEventRecord[]; readonly hasMore: boolean };

export type EventStore = {
  /**
   * Returns at most `limit` events with a sequence above `after`, ascending. The list ends early with the event that takes its data beyond 1 MiB, so that a hundred large events
   * are never in memory at once. The caller has checked to whom the session belongs. Throws `Unavailable`.
   */
  eventsAfter(sessionId: string, after: number, limit: number): Promise<EventsRead>;

  /**
   * The `WebhookBody` of this event as text, the same for every attempt and endpoint. `undefined` if the event no longer exists. The caller knows to whom the event belongs.
   * Throws `Unavailable`.
   */
  webhookBody(eventId: string): Promise<string | undefined>;

  /** The newest sequence of each of these sessions, regardless of their users. Sessions without events are left out. Throws `Unavailable`. */
  lastSequences(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
};
