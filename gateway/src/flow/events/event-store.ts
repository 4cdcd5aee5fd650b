/** What reading events needs from storage; they are written with the session's transition. Every engine passes `test/contracts/event-store-contract.ts`. */

import type { FlowEventRecord } from './flow-event.ts';

export type { FlowEventRecord } from './flow-event.ts';

/** The outbox queue in which an event waits for an endpoint: the partition key is the user's with the subscription's id (`platform/coordination/owned-lane.ts`), payload the event's id. */
export const webhookQueue = 'flow webhooks';

/** `hasMore`: there are events after these. */
export type EventsRead = { readonly events: readonly FlowEventRecord[]; readonly hasMore: boolean };

export type EventStore = {
  /**
   * Ascending, those with a sequence above `after`, at most `limit`, and none after the one with which their data grows beyond 1 MiB: an event may be large, and a
   * hundred of them must not be in memory at once. The caller has checked whose session it is. Throws `Unavailable`.
   */
  eventsAfter(sessionId: string, after: number, limit: number): Promise<EventsRead>;

  /**
   * What every endpoint gets of this event, a `WebhookBody`: the same text each time. `undefined` when the event is not there any more. The caller knows whose it is. Throws
   * `Unavailable`.
   */
  webhookBody(eventId: string): Promise<string | undefined>;

  /** The newest sequence of each of these sessions, of any user; those without events are left out. Throws `Unavailable`. */
  lastSequences(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
};
