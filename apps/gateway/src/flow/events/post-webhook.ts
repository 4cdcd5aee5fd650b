/** Makes one attempt at a delivery: signs it according to Standard Webhooks, sends it to a vetted address, and classifies the endpoint's response. */

import type { Clock } from '@flowgate/base/clock';
import { retryAfterMs } from '@flowgate/http1/retry-after';
import type { SafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import type { EncryptionAtRest } from '@flowgate/sql/encryption-at-rest';
import { signWebhook } from '../signing/webhook-signature.ts';
import type { SubscriptionRecord } from './subscription-store.ts';
import { webhookSecretContext } from './webhook-secret-context.ts';

/** `reason` is for the log and the subscription's owner. It contains no URL and no address, and only the status of the endpoint's response. */
export type WebhookOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string; readonly askedMs: number };

/** `body` is exactly the text of `EventStore.webhookBody`. */
export type PostWebhook = (
  subscription: Pick<SubscriptionRecord, 'subscriptionId' | 'userId' | 'targetUrl' | 'sealedSecret'>,
  message: { readonly eventId: string; readonly body: string },
) => Promise<WebhookOutcome>;

export type PostWebhookDeps = {
  readonly request: SafeFetch['request'];
  readonly encryption: Pick<EncryptionAtRest, 'open'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** The time limit of a whole attempt, in milliseconds. */
export const deliveryTimeoutMs = 10_000;
/** Maximum number of bytes read of a response's body, which is not used. */
const maxResponseBytes = 65_536;

export function createPostWebhook({ request, encryption, clock }: PostWebhookDeps): PostWebhook {
  return async ({ subscriptionId, userId, targetUrl, sealedSecret }, { eventId, body }) => {
    const secret = encryption.open(sealedSecret, webhookSecretContext(subscriptionId));
    if (secret === undefined) return failedFor('its secret was encrypted under a pepper that is no longer configured');
    const reply = await request({
      url: targetUrl,
      tenant: `webhooks of ${userId}`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signWebhook({ secret, id: eventId, atMs: clock.now(), body }) },
      body,
      timeoutMs: deliveryTimeoutMs,
      maxBytes: maxResponseBytes,
    });
    if (reply.ok) return outcomeOf(reply.status, retryAfterMs(reply.headers.get('retry-after'), clock.now()));
    // Only the status counts, even if the rest of the response was refused.
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
