/** Lists a user's subscriptions to an app, newest first, with disabled ones and without secrets. */

import type { Subscription } from '@flowgate/client/flow-wire';
import type { RouteRefusal } from '../../api/route.ts';
import { type Page, pageOf, parsePage } from '../../platform/page.ts';
import { type Ok, ok } from '../../platform/result.ts';
import { isTypeId } from '../../platform/type-id.ts';
import { visibleApp } from '../registry/app-access.ts';
import type { RegistryStore } from '../registry/registry-store.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import { subscriptionView } from './subscription-wire.ts';

export type ListSubscriptionsParts = {
  readonly subscriptions: Pick<SubscriptionStore, 'list'>;
  readonly registry: Pick<RegistryStore, 'findApp'>;
};

export async function listSubscriptions(
  parts: ListSubscriptionsParts,
  { userId, appId }: { readonly userId: string; readonly appId: string },
  query: URLSearchParams,
): Promise<Ok<Page<Subscription>> | RouteRefusal> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId('sub', id) });
  if (!page.ok) return page;
  const app = await visibleApp(parts.registry, userId, appId);
  if (!app.ok) return app;
  const { records, next } = await parts.subscriptions.list(userId, appId, page.value);
  const data = records.map(subscriptionView);
  return ok(pageOf(data, next));
}
