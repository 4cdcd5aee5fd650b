/** The storage from which events are read; a session's transition writes them. Every engine passes `flow/events/event-store.contract.ts`. */

import type { FlowEventRecord } from './flow-event.ts';

export type { FlowEventRecord } from './flow-event.ts';

/**
 * The outbox queue in which an event waits for delivery to an endpoint. The owner identifies the user, the partition key ends with a space and the subscription's id, and the payload is
 * the event's id.
 */
export const webhookQueue = 'flow webhooks';

/** `hasMore`: there are more events after these. */
export type EventsRead = { readonly events: readonly FlowEventRecord[]; readonly hasMore: boolean };

export type EventStore = {
  /**
   * At most `limit` events with a sequence above `after`, ascending. The list ends early with the event that takes its data beyond 1 MiB, because events may be large and a hundred of them must
   * not be in memory at once. The caller has checked whose session it is. Throws `Unavailable`.
   */
  eventsAfter(sessionId: string, after: number, limit: number): Promise<EventsRead>;

  /**
   * The `WebhookBody` of this event as text, the same for every attempt and endpoint. `undefined` when the event does not exist any more. The caller knows whose event it is. Throws
   * `Unavailable`.
   */
  webhookBody(eventId: string): Promise<string | undefined>;

  /** The newest sequence of each of these sessions, regardless of their users. Sessions without events are left out. Throws `Unavailable`. */
  lastSequences(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
};
