/** Flow Apps through the gateway: publish them, run them, follow their events (contract/flow-apps). */

import { ask } from './ask.ts';
import { createFlowApps, createFlowVersions, type FlowApps, type FlowVersions } from './flow-apps.ts';
import { createFollow, type FollowOptions } from './flow-follow.ts';
import { createFlowSessions, type FlowSessions } from './flow-sessions.ts';
import { createFlowSubscriptions, type FlowSubscriptions } from './flow-subscriptions.ts';
import * as shapes from './generated/shapes.ts';
import type { CallOptions, Open, Send } from './transport.ts';
import type { FlowEvent } from './wire.ts';

/** All methods accept a token or an API key, and throw `FlowgateError` of kind `problem` when the gateway refuses. */
export type Flow = {
  readonly apps: FlowApps;
  readonly versions: FlowVersions;
  readonly sessions: FlowSessions;
  readonly subscriptions: FlowSubscriptions;
  /**
   * The session's events, each once and in order, as they happen; resumes after broken connections. Ends after the event that ends the session. Throws the
   * signal's reason when the signal is aborted, and refusals that are final.
   */
  follow(sessionId: string, options?: FollowOptions): AsyncIterable<FlowEvent>;
  /** The caller's data under the app's `queryId`; `null` when there is none. */
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
