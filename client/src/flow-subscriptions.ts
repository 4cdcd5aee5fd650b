/** Webhooks: an app's events of the caller's own sessions, delivered to an address (contract/events#webhooks). */

import { askFor } from './ask-for.ts';
import { hasMembers } from './has-members.ts';
import { createPaged, type PageOptions } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import type { CallOptions, Send } from './transport.ts';
import type { Page, Subscription, SubscriptionInput } from './wire.ts';

export type FlowSubscriptions = {
  /** Only this answer ever contains a generated `secret`: keep it at once. 400 for an event type that the app has not declared. Never repeated. */
  create(appId: string, input: SubscriptionInput, options?: CallOptions): Promise<Subscription>;
  list(appId: string, options?: Omit<PageOptions, 'cursor'>): AsyncIterable<Subscription>;
  page(appId: string, options?: PageOptions): Promise<Page<Subscription>>;
  remove(appId: string, subscriptionId: string, options?: CallOptions): Promise<void>;
};

export function createFlowSubscriptions(send: Send): FlowSubscriptions {
  const pathOf = (appId: string) => `/flow/apps/${pathSegment(appId)}/subscriptions`;
  const paged = (appId: string) => createPaged(send, pathOf(appId), isSubscription);
  return {
    list: (appId, options) => paged(appId).list(options),
    page: (appId, options) => paged(appId).page(options),
    async create(appId, input, options = {}) {
      const call = { method: 'POST', path: pathOf(appId), body: input, repeatable: false, options } as const;
      return askFor(send, isSubscription, call);
    },
    async remove(appId, subscriptionId, options = {}) {
      const path = `${pathOf(appId)}/${pathSegment(subscriptionId)}`;
      await send({ method: 'DELETE', path, repeatable: true, options });
    },
  };
}

function isSubscription(value: unknown): value is Subscription {
  const texts = { subscriptionId: 'string', appId: 'string', eventType: 'string', targetUrl: 'string' } as const;
  return hasMembers(
    value,
    { ...texts, status: 'string', createdAt: 'string' },
    { secret: 'string', disabledReason: 'string', disabledAt: 'string' },
  );
}
