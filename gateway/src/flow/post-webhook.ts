/** One attempt at a delivery: signed as Standard Webhooks have it, sent to a vetted address, and what the endpoint made of it. */

import type { Clock } from '../platform/clock.ts';
import type { SafeFetch } from '../platform/safe-fetch.ts';
import type { Sealer } from '../platform/sealed-text.ts';
import { signWebhook } from '../platform/webhook-signature.ts';
import { sealedFor } from './subscription.ts';
import type { SubscriptionRecord } from './subscription-store.ts';
import { retryAfterMs } from './webhook-retry.ts';

/** `reason` is for the log and the owner: it holds no URL, no address and nothing that the endpoint said but its status. */
export type WebhookOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string; readonly askedMs: number };

/** `body` is what was enqueued, to the byte. */
export type PostWebhook = (
  subscription: Pick<SubscriptionRecord, 'subscriptionId' | 'targetUrl' | 'sealedSecret'>,
  body: string,
) => Promise<WebhookOutcome>;

export type PostWebhookParts = {
  readonly request: SafeFetch['request'];
  readonly sealer: Pick<Sealer, 'open'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** For all of an attempt. */
export const deliveryTimeoutMs = 10_000;
/** Nobody reads what endpoints say; one that says more than this is cut off. */
const mostAnswerBytes = 65_536;

export function createPostWebhook({ request, sealer, clock }: PostWebhookParts): PostWebhook {
  return async ({ subscriptionId, targetUrl, sealedSecret }, body) => {
    const secret = sealer.open(sealedSecret, sealedFor(subscriptionId));
    if (secret === undefined) return failedFor('its secret was sealed under a pepper that is not configured any more');
    const id = idOf(JSON.parse(body));
    const reply = await request({
      url: targetUrl,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signWebhook({ secret, id, atMs: clock.now(), body }) },
      body,
      timeoutMs: deliveryTimeoutMs,
      maxBytes: mostAnswerBytes,
    });
    if (reply.ok) return outcomeOf(reply.status, retryAfterMs(reply.headers.get('retry-after'), clock.now()));
    // What an endpoint says beside its status is nobody's concern, however much it is.
    return reply.status === undefined ? failedFor(reply.detail) : outcomeOf(reply.status);
  };
}

/** A body that was not enqueued by us is a bug. */
function idOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('id' in body) || typeof body.id !== 'string')
    throw new Error('a webhook body without an id');
  return body.id;
}

function outcomeOf(status: number, askedMs = 0): WebhookOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  return status === 410 ? { kind: 'gone' } : failedFor(`status ${status}`, askedMs);
}

function failedFor(reason: string, askedMs = 0): WebhookOutcome {
  return { kind: 'failed', reason, askedMs };
}
