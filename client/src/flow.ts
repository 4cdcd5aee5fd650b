/** Flow Apps through the gateway: publish them, walk through them, follow what happens (contract/flow-apps). */

import { ask } from './ask.ts';
import { createFlowApps, createFlowVersions, type FlowApps, type FlowVersions } from './flow-apps.ts';
import { createFollow, type FollowOptions } from './flow-follow.ts';
import { createFlowSessions, type FlowSessions } from './flow-sessions.ts';
import { createFlowSubscriptions, type FlowSubscriptions } from './flow-subscriptions.ts';
import * as shapes from './generated/shapes.ts';
import type { CallOptions, Open, Send } from './transport.ts';
import type { FlowEvent } from './wire.ts';

/** Every method accepts a token or an API key, and throws `FlowgateError` of kind `problem` for a refusal of the gateway. */
export type Flow = {
  readonly apps: FlowApps;
  readonly versions: FlowVersions;
  readonly sessions: FlowSessions;
  readonly subscriptions: FlowSubscriptions;
  /**
   * The session's events in order, each once, as they happen; across broken connections and gateways. Ends after the event that ends the session. Throws the
   * signal's reason when it is aborted, and refusals that are final.
   */
  follow(sessionId: string, options?: FollowOptions): AsyncIterable<FlowEvent>;
  /** The caller's data that an app shows under `queryId`; `null` when there is none. */
  query(appId: string, queryId: string, options?: CallOptions): Promise<unknown>;
};

export function createFlow(send: Send, open: Open): Flow {
  const sessions = createFlowSessions(send);
  return {
    apps: createFlowApps(send),
    versions: createFlowVersions(send),
    sessions,
    subscriptions: createFlowSubscriptions(send),
    follow: createFollow(open, sessions),
    query: async (appId, queryId, options = {}) =>
      (await ask(send, 'GET /flow/queries/{appId}/{queryId}', shapes.queryResult, [appId, queryId], { options })).data,
  };
}
