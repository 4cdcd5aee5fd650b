/** One attempt at a delivery: signed as Standard Webhooks have it, sent to a vetted address, and what the endpoint made of it. */

import type { Clock } from '../../platform/clock.ts';
import type { SafeFetch } from '../../platform/safe-fetch/safe-fetch.ts';
import type { Sealer } from '../../platform/sealed-text.ts';
import { signWebhook } from '../../platform/webhook-signature.ts';
import { sealedFor } from './subscription.ts';
import type { SubscriptionRecord } from './subscription-store.ts';
import { retryAfterMs } from './webhook-retry.ts';

/** `reason` is for the log and the owner: it holds no URL, no address and nothing that the endpoint said but its status. */
export type WebhookOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string; readonly askedMs: number };

/** `body` is `EventStore.webhookBody`'s, to the byte. */
export type PostWebhook = (
  subscription: Pick<SubscriptionRecord, 'subscriptionId' | 'userId' | 'targetUrl' | 'sealedSecret'>,
  message: { readonly eventId: string; readonly body: string },
) => Promise<WebhookOutcome>;

export type PostWebhookParts = {
  readonly request: SafeFetch['request'];
  readonly sealer: Pick<Sealer, 'open'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** For all of an attempt. */
export const deliveryTimeoutMs = 10_000;
/** Nobody reads what endpoints say; one that says more than this is cut off. */
const mostResponseBytes = 65_536;

export function createPostWebhook({ request, sealer, clock }: PostWebhookParts): PostWebhook {
  return async ({ subscriptionId, userId, targetUrl, sealedSecret }, { eventId, body }) => {
    const secret = sealer.open(sealedSecret, sealedFor(subscriptionId));
    if (secret === undefined) return failedFor('its secret was sealed under a pepper that is not configured any more');
    const reply = await request({
      url: targetUrl,
      tenant: `webhooks of ${userId}`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signWebhook({ secret, id: eventId, atMs: clock.now(), body }) },
      body,
      timeoutMs: deliveryTimeoutMs,
      maxBytes: mostResponseBytes,
    });
    if (reply.ok) return outcomeOf(reply.status, retryAfterMs(reply.headers.get('retry-after'), clock.now()));
    // What an endpoint says beside its status is nobody's concern, however much it is.
    return reply.status === undefined ? failedFor(reply.detail) : outcomeOf(reply.status);
  };
}

function outcomeOf(status: number, askedMs = 0): WebhookOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  return status === 410 ? { kind: 'gone' } : failedFor(`status ${status}`, askedMs);
}

function failedFor(reason: string, askedMs = 0): WebhookOutcome {
  return { kind: 'failed', reason, askedMs };
}
