/** Verifies a webhook and returns its event: for endpoints of a Flow subscription (contract/events#webhooks). */

import { hasMembers } from './shape.ts';
import { type SignedRequest, type VerifyOptions, verifySignature } from './verify-signature.ts';
import { WebhookError } from './webhook-error.ts';
import type { WebhookBody } from './wire.ts';

/** Returns the event after verifying that the gateway sent it. Throws `WebhookError` otherwise. Deliveries arrive at least once: act on each `id` once. */
export async function verifyWebhook(request: SignedRequest, options: VerifyOptions): Promise<WebhookBody> {
  const { text } = await verifySignature(request, options);
  const body = parsed(text);
  if (!isWebhookBody(body)) throw new WebhookError('body', 'The body is not an event of a Flow session.');
  return body;
}

function isWebhookBody(value: unknown): value is WebhookBody {
  return hasMembers(value, { id: 's', type: 's', timestamp: 's', data: {} });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
