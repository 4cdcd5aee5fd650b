/** Webhooks: an app's events of the caller's own sessions, delivered to a URL (contract/events#webhooks). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type PageOptions } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import type { Page, Subscription, SubscriptionInput } from './wire.ts';

export type FlowSubscriptions = {
  /** Only this answer ever contains a generated `secret`: store it at once. 400 for an event type that the app has not declared. Never retried. */
  create(appId: string, input: SubscriptionInput, options?: CallOptions): Promise<Subscription>;
  list(appId: string, options?: Omit<PageOptions, 'cursor'>): AsyncIterable<Subscription>;
  page(appId: string, options?: PageOptions): Promise<Page<Subscription>>;
  remove(appId: string, subscriptionId: string, options?: CallOptions): Promise<void>;
};

export function createFlowSubscriptions(send: Send): FlowSubscriptions {
  const path = '/flow/apps/{appId}/subscriptions';
  const paged = (appId: string) => createPaged(send, `GET ${path}`, shapes.subscription, [appId]);
  return {
    list: (appId, options) => paged(appId).list(options),
    page: (appId, options) => paged(appId).page(options),
    create: (appId, body, options) =>
      ask(send, `POST ${path}`, shapes.subscription, [appId], { body, repeatable: false, options }),
    remove: (appId, subscriptionId, options) =>
      ask(send, `DELETE ${path}/{subscriptionId}`, undefined, [appId, subscriptionId], { options }),
  };
}
