/** A subscription as its owner sees it, and what its secret is sealed for. */

import type { Subscription } from '@flowgate/client/flow-wire';
import { isoTime } from '../../platform/iso-time.ts';
import type { SubscriptionRecord } from './subscription-store.ts';

/** Without the secret: that is in the answer that made it, or nowhere. */
export function subscriptionView(record: SubscriptionRecord): Subscription {
  const { subscriptionId, appId, eventType, targetUrl, status, createdAtMs, disabledReason, disabledAtMs } = record;
  return {
    subscriptionId,
    appId,
    eventType,
    targetUrl,
    status,
    createdAt: isoTime(createdAtMs),
    ...(disabledReason === undefined ? {} : { disabledReason }),
    ...(disabledAtMs === undefined ? {} : { disabledAt: isoTime(disabledAtMs) }),
  };
}

/** What a sealed secret belongs to: it opens for no other subscription. */
export function sealedFor(subscriptionId: string): string {
  return `flow-subscription ${subscriptionId}`;
}
