/** A subscription as its owner sees it, and the context under which its secret is encrypted. */

import type { Subscription } from '@flowgate/client/flow-wire';
import { isoTime } from '../../platform/iso-time.ts';
import type { SubscriptionRecord } from './subscription-store.ts';

/** Without the secret, which only the response to its creation contains. */
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

/** The context of the encrypted secret: it can be decrypted for this subscription only. */
export function sealedFor(subscriptionId: string): string {
  return `flow-subscription ${subscriptionId}`;
}
