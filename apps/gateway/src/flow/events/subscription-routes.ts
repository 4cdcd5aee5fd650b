/** The routes of webhook subscriptions: parse, call one use, shape the reply (contract/events#subscriptions). */

import type { Caller } from '../../api/caller.ts';
import { pageQuery } from '../../api/page-query.ts';
import { emptyReply, okReply } from '../../api/reply-of.ts';
import type { CallerRequest, CallerRoute, RouteAnswer } from '../../api/route.ts';
import { appPath } from '../registry/registry-paths.ts';
import { type ListSubscriptionsParts, listSubscriptions } from './list-subscriptions.ts';
import { type SubscribeParts, subscribe } from './subscribe.ts';
import { subscriptionInput } from './subscription-input.ts';
import { subscription, subscriptionPage, subscriptionPath } from './subscription-wire.ts';
import { type UnsubscribeParts, unsubscribe } from './unsubscribe.ts';

export type SubscriptionRouteParts = SubscribeParts & ListSubscriptionsParts & UnsubscribeParts;

const path = '/flow/apps/{appId/2}/subscriptions';
const tag = 'Flow subscriptions';
const noStore = { 'Cache-Control': 'no-store' };

export function subscriptionRoutes(parts: SubscriptionRouteParts): readonly CallerRoute[] {
  return [
    {
      method: 'POST',
      path,
      admittance: 'caller',
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
        const made = await subscribe(parts, place, request.body);
        if (!made.ok) return made;
        const location = `/flow/apps/${place.appId}/subscriptions/${made.value.subscriptionId}`;
        return { status: 201, body: made.value, headers: { ...noStore, Location: location } };
      },
    },
    {
      method: 'GET',
      path,
      admittance: 'caller',
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
      handle: async (request) => okReply(await listSubscriptions(parts, placeOf(request), request.query), noStore),
    },
    {
      method: 'DELETE',
      path: `${path}/{subscriptionId}`,
      admittance: 'caller',
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
            parts,
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
