/** What subscriptions need from storage. Every engine passes `test/contracts/subscription-store-contract.ts`. */

import type { PageRequest, Position } from '../../platform/page.ts';

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

/** Every method throws `Unavailable` when the storage does not answer in time; a write may then have been done or not, and repeating is safe. */
export type SubscriptionStore = {
  /**
   * `false`, and nothing is written, when the user has `limit` of them with this app already, or `ofUser` over all apps, disabled ones too; exact for many at once. After `Unavailable` it is absent, unless
   * the storage or the process died between the commit and its undoing.
   */
  insertIfUnder(subscription: SubscriptionRecord, limit: number, ofUser?: number): Promise<boolean>;

  /** Newest first. */
  list(
    userId: string,
    appId: string,
    page: PageRequest,
  ): Promise<{ readonly records: readonly SubscriptionRecord[]; readonly next?: Position }>;

  find(subscriptionId: string): Promise<SubscriptionRecord | undefined>;

  /** `false` when there is none of this user and app. What was not delivered yet is dropped. */
  remove(userId: string, appId: string, subscriptionId: string): Promise<boolean>;

  /** Nothing is enqueued for it any more, and what was not delivered yet is dropped. Again, and for one that is gone, changes nothing: the first reason stays. */
  disable(subscription: Pick<SubscriptionRecord, 'userId' | 'subscriptionId'>, reason: string): Promise<void>;
};
