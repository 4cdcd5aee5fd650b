/** The table of subscriptions. */

import { optional, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { SubscriptionRecord } from './subscription-store.ts';

export const subscriptionsTable = table('flow_subscriptions', 'subscriptionId', {
  subscriptionId: text('subscription_id'),
  userId: text('user_id'),
  appId: text('app_id'),
  eventType: text('event_type'),
  targetUrl: text('target_url'),
  sealedSecret: text('sealed_secret'),
  status: text<SubscriptionRecord['status']>('status'),
  disabledReason: optional(text('disabled_reason')),
  disabledAtMs: optional(timeMs('disabled_at')),
  /** The session whose transition disabled the subscription, because its events exceeded the limit. */
  disabledIn: optional(text('disabled_in')),
  createdAtMs: timeMs('created_at'),
});
