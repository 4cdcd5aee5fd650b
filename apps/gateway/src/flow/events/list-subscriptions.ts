/** Lists a user's subscriptions to an app, newest first, with disabled ones and without secrets. */

import { isTypeId } from '@flowgate/base/ids';
import { type Page, pageOf, parsePage } from '@flowgate/base/page';
import { type Ok, ok } from '@flowgate/base/result';
import type { Caller } from '../../api/caller.ts';
import type { RouteRefusal } from '../../api/route.ts';
import { type AppParts, usableApp } from '../registry/app-access.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import { type Subscription, subscriptionView } from './subscription-wire.ts';

export type ListSubscriptionsParts = AppParts & {
  readonly subscriptions: Pick<SubscriptionStore, 'list'>;
};

export async function listSubscriptions(
  parts: ListSubscriptionsParts,
  { caller, appId }: { readonly caller: Caller; readonly appId: string },
  query: URLSearchParams,
): Promise<Ok<Page<Subscription>> | RouteRefusal> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId('sub', id) });
  if (!page.ok) return page;
  const app = await usableApp(parts, caller, appId);
  if (!app.ok) return app;
  const { records, next } = await parts.subscriptions.list(caller.userId, appId, page.value);
  const data = records.map(subscriptionView);
  return ok(pageOf(data, next));
}
