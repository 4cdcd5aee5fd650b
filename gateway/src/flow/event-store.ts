/** What reading events needs from storage; they are written with the session's transition. Every engine passes `test/contracts/event-store-contract.ts`. */

import type { FlowEventRecord } from './flow-event.ts';

export type { FlowEventRecord } from './flow-event.ts';

/** The outbox queue in which an event waits for an endpoint: lane is the subscription's id, payload the exact body to send, a `WebhookBody`. */
export const webhookQueue = 'flow webhooks';

export type EventStore = {
  /** Ascending, those with a sequence above `after`, at most `limit`. The caller has checked whose session it is. Throws `Unavailable`. */
  eventsAfter(sessionId: string, after: number, limit: number): Promise<readonly FlowEventRecord[]>;

  /** The newest sequence of each of these sessions, of any user; those without events are left out. Throws `Unavailable`. */
  lastSequences(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
};
