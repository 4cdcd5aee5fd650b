/** Counts attempts at deliveries by outcome. */

import type { Counter } from '@flowgate/telemetry/metrics/instruments';
import type { Family } from '@flowgate/telemetry/metrics/registry';
import type { PostWebhook } from './post-webhook.ts';

/** Returns the function unchanged if `deliveries` is absent. */
export function meteredPostWebhook(post: PostWebhook, deliveries: Family<Counter> | undefined): PostWebhook {
  if (deliveries === undefined) return post;
  const counters = {
    delivered: deliveries.with('delivered'),
    gone: deliveries.with('gone'),
    failed: deliveries.with('failed'),
  };
  return async (subscription, message) => {
    const outcome = await post(subscription, message);
    counters[outcome.kind].add();
    return outcome;
  };
}
