/** The routes of webhook subscriptions (contract/events#subscriptions). */

import { isTypeId } from '@flowgate/base/ids';
import { type Page, pageOf, parsePage } from '@flowgate/base/page';
import { type Ok, ok, refused } from '@flowgate/base/result';
import { isAppId } from '@flowgate/flow-format/manifest/app-id';
import type { Caller } from '../../api/caller.ts';
import { pageQuery } from '../../api/page-query.ts';
import { emptyReply, okReply } from '../../api/reply-of.ts';
import type { CallerRequest, CallerRoute, RouteAnswer, RouteRefusal } from '../../api/route.ts';
import { type AppDeps, usableApp } from '../registry/app-access.ts';
import { appPath } from '../registry/registry-paths.ts';
import { type SubscribeDeps, subscribe } from './subscribe.ts';
import { subscriptionInput } from './subscription-input.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import {
  type Subscription,
  subscription,
  subscriptionPage,
  subscriptionPath,
  subscriptionView,
} from './subscription-wire.ts';

export type SubscriptionRouteDeps = SubscribeDeps & ListSubscriptionsDeps & UnsubscribeDeps;

const path = '/flow/apps/{appId/2}/subscriptions';
const tag = 'Flow subscriptions';
const noStore = { 'Cache-Control': 'no-store' };

export function subscriptionRoutes(deps: SubscriptionRouteDeps): readonly CallerRoute[] {
  return [
    {
      method: 'POST',
      path,
      accessLevel: 'caller',
      doc: {
        summary: 'Subscribe to events',
        description:
          "Posts events of one type, of the caller's own sessions of this app, to `targetUrl` according to Standard Webhooks: at least once, with retries for about a day. A subscription is disabled if its endpoint returns 410, or if 10,000 deliveries or 64 MiB are pending (event `subscription_disabled` of the session). The response contains `secret` only if the gateway generated it. At most 20 subscriptions for each user and app, and 500 for each user.",
        tag,
        path: appPath,
        body: subscriptionInput,
        responses: [{ status: 201, description: 'Subscribed.', schema: subscription, headers: ['Cache-Control'] }],
        refusals: ['bad-request', 'denied', 'not-found', 'conflict'],
      },
      handle: async (request): Promise<RouteAnswer> => {
        const place = placeOf(request);
        const made = await subscribe(deps, place, request.body);
        if (!made.ok) return made;
        const location = `/flow/apps/${place.appId}/subscriptions/${made.value.subscriptionId}`;
        return { status: 201, body: made.value, headers: { ...noStore, Location: location } };
      },
    },
    {
      method: 'GET',
      path,
      accessLevel: 'caller',
      doc: {
        summary: 'List subscriptions',
        description:
          "Lists the caller's own subscriptions to this app, newest first, including disabled ones, without secrets.",
        tag,
        path: appPath,
        query: pageQuery(20),
        responses: [
          {
            status: 200,
            description: 'A page of subscriptions.',
            schema: subscriptionPage,
            headers: ['Cache-Control'],
          },
        ],
        refusals: ['bad-request', 'denied', 'not-found'],
      },
      handle: async (request) => okReply(await listSubscriptions(deps, placeOf(request), request.query), noStore),
    },
    {
      method: 'DELETE',
      path: `${path}/{subscriptionId}`,
      accessLevel: 'caller',
      doc: {
        summary: 'Unsubscribe',
        description: 'Pending deliveries are dropped.',
        tag,
        path: subscriptionPath,
        responses: [{ status: 204, description: 'Unsubscribed.' }],
        refusals: ['not-found'],
      },
      handle: async (request) =>
        emptyReply(
          await unsubscribe(
            deps,
            { userId: request.caller.userId, appId: placeOf(request).appId },
            request.params['subscriptionId'] ?? '',
          ),
        ),
    },
  ];
}

function placeOf({ caller, params }: CallerRequest): { readonly caller: Caller; readonly appId: string } {
  return { caller, appId: params['appId'] ?? '' };
}

type UnsubscribeDeps = { readonly subscriptions: Pick<SubscriptionStore, 'remove'> };

/**
 * Ends a subscription. Deliveries in progress are completed; pending ones are dropped. Returns not found for a subscription that is unknown, another user's, or another app's.
 * Works even if the caller can no longer see the app.
 */
async function unsubscribe(
  { subscriptions }: UnsubscribeDeps,
  { userId, appId }: { readonly userId: string; readonly appId: string },
  subscriptionId: string,
): Promise<Ok<undefined> | RouteRefusal> {
  // Other texts may contain characters that a database does not accept.
  const mayBe = isTypeId('sub', subscriptionId) && isAppId(appId);
  const removed = mayBe && (await subscriptions.remove(userId, appId, subscriptionId));
  return removed ? ok(undefined) : refused('not-found', 'There is no such subscription.');
}

type ListSubscriptionsDeps = AppDeps & {
  readonly subscriptions: Pick<SubscriptionStore, 'list'>;
};

/** Lists a user's subscriptions to an app, newest first, with disabled ones and without secrets. */
async function listSubscriptions(
  deps: ListSubscriptionsDeps,
  { caller, appId }: { readonly caller: Caller; readonly appId: string },
  query: URLSearchParams,
): Promise<Ok<Page<Subscription>> | RouteRefusal> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId('sub', id) });
  if (!page.ok) return page;
  const app = await usableApp(deps, caller, appId);
  if (!app.ok) return app;
  const { records, next } = await deps.subscriptions.list(caller.userId, appId, page.value);
  const data = records.map(subscriptionView);
  return ok(pageOf(data, next));
}
