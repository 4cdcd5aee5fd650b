/** The routes of webhook subscriptions: parse, call one use, shape the reply (contract/events#subscriptions). */

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
          "Events of one type, of the caller's own sessions with this app, are posted to `targetUrl` as Standard Webhooks have it: at least once, retried over about a day; an endpoint that answers 410 is disabled, and so is a subscription for which 10,000 deliveries or 64 MiB of them wait (`subscription_disabled` in the session's events). `secret` is in the answer only when the gateway made it. At most 20 for each user and app, and 500 for each user.",
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
        description: "The caller's own to this app, newest first, disabled ones too; never a secret.",
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
        description: 'What was not delivered yet is dropped.',
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

/** Ends a subscription. Deliveries that are in progress are still made; pending ones are dropped. Not found: unknown, another user's, or another app's. Works for apps that the caller cannot see any more, too. */
async function unsubscribe(
  { subscriptions }: UnsubscribeDeps,
  { userId, appId }: { readonly userId: string; readonly appId: string },
  subscriptionId: string,
): Promise<Ok<undefined> | RouteRefusal> {
  // Other texts may contain what a database does not accept.
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
