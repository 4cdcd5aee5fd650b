/** Ends a subscription. Deliveries that are under way are still made; pending ones are dropped. */

import { isTypeId } from '@flowgate/base/ids';
import { type Ok, ok, refused } from '@flowgate/base/result';
import { isAppId } from '@flowgate/flow-format/manifest/app-id';
import type { RouteRefusal } from '../../api/route.ts';
import type { SubscriptionStore } from './subscription-store.ts';

export type UnsubscribeParts = { readonly subscriptions: Pick<SubscriptionStore, 'remove'> };

/** Not found: unknown, another user's, or another app's. Works for apps that the caller cannot see any more, too. */
export async function unsubscribe(
  { subscriptions }: UnsubscribeParts,
  { userId, appId }: { readonly userId: string; readonly appId: string },
  subscriptionId: string,
): Promise<Ok<undefined> | RouteRefusal> {
  // Other texts may contain what a database does not accept.
  const mayBe = isTypeId('sub', subscriptionId) && isAppId(appId);
  const removed = mayBe && (await subscriptions.remove(userId, appId, subscriptionId));
  return removed ? ok(undefined) : refused('not-found', 'There is no such subscription.');
}
