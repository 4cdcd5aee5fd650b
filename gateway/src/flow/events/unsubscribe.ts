/** Ends a subscription: nothing of it is delivered any more but what is on its way. */

import type { RouteRefusal } from '../../api/route.ts';
import { type Ok, ok, refused } from '../../platform/result.ts';
import { isTypeId } from '../../platform/type-id.ts';
import { isAppId } from '../registry/app-id.ts';
import type { SubscriptionStore } from './subscription-store.ts';

export type UnsubscribeParts = { readonly subscriptions: Pick<SubscriptionStore, 'remove'> };

/** Not found: unknown, somebody else's, or another app's. Also for an app that has become invisible: who has subscriptions to it may end them. */
export async function unsubscribe(
  { subscriptions }: UnsubscribeParts,
  { userId, appId }: { readonly userId: string; readonly appId: string },
  subscriptionId: string,
): Promise<Ok<undefined> | RouteRefusal> {
  // What is no id of ours may hold what a database cannot take.
  const mayBe = isTypeId('sub', subscriptionId) && isAppId(appId);
  const removed = mayBe && (await subscriptions.remove(userId, appId, subscriptionId));
  return removed ? ok(undefined) : refused('not-found', 'There is no such subscription.');
}
