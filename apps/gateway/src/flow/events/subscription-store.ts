/** The storage for subscriptions. Every engine passes `flow/events/subscription-store.contract.ts`. */

import type { PageRequest, Position } from '@flowgate/base/page';

export type SubscriptionRecord = {
  readonly subscriptionId: string;
  readonly userId: string;
  readonly appId: string;
  readonly eventType: string;
  readonly targetUrl: string;
  readonly sealedSecret: string;
  readonly status: 'active' | 'disabled';
  readonly disabledReason?: string;
  readonly disabledAtMs?: number;
  readonly createdAtMs: number;
};

/** Every method throws `Unavailable` if the storage does not answer in time. A write may then be done or not; repeating it is safe. */
export type SubscriptionStore = {
  /**
   * Returns `false` and writes nothing if the user already has `limit` subscriptions to this app, or `ofUser` over all apps, disabled ones included. Exact under concurrency.
   * After `Unavailable` the subscription is absent, unless the storage or the process died between the commit and its compensation.
   */
  insertIfUnder(subscription: SubscriptionRecord, limit: number, ofUser?: number): Promise<boolean>;

  /** Newest first. */
  list(
    userId: string,
    appId: string,
    page: PageRequest,
  ): Promise<{ readonly records: readonly SubscriptionRecord[]; readonly next?: Position }>;

  find(subscriptionId: string): Promise<SubscriptionRecord | undefined>;

  /** `false` if this user and app have no such subscription. Pending deliveries are dropped. */
  remove(userId: string, appId: string, subscriptionId: string): Promise<boolean>;

  /** Stops enqueueing for the subscription and drops its pending deliveries. Changes nothing if it does not exist or is already disabled; the first reason remains. */
  disable(subscription: Pick<SubscriptionRecord, 'userId' | 'subscriptionId'>, reason: string): Promise<void>;
};
