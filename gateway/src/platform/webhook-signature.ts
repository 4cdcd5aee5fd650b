/** Standard Webhooks signatures, on requests to Flow Apps and to webhook endpoints (standardwebhooks.com; contract/events#webhooks). */

import { Webhook } from 'standardwebhooks';
import type { RandomBytes } from './random.ts';

export type SignedMessage = {
  /** As the endpoint's owner knows it: `whsec_` and base64, or any other text, of which the UTF-8 bytes are used. */
  readonly secret: string;
  /** The same on every attempt of one message. Without a dot. */
  readonly id: string;
  /** The time of this attempt: receivers refuse one that is five minutes off. */
  readonly atMs: number;
  /** The body, byte for byte. */
  readonly body: string;
};

export type WebhookHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
};

const prefix = 'whsec_';
/** The specification asks for 24 to 64 bytes. */
const newSecretBytes = 32;

/** @throws Error for a secret that `isWebhookSecret` refuses. */
export function signWebhook({ secret, id, atMs, body }: SignedMessage): WebhookHeaders {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1000)),
    'webhook-signature': keyOf(secret).sign(id, new Date(atMs), body),
  };
}

/** Whether messages can be signed with it: `whsec_` must be followed by base64, with its padding, of at least one byte. */
export function isWebhookSecret(secret: string): boolean {
  try {
    keyOf(secret);
    return true;
  } catch {
    return false;
  }
}

export function newWebhookSecret(randomBytes: RandomBytes): string {
  return prefix + randomBytes(newSecretBytes).toString('base64');
}

function keyOf(secret: string): Webhook {
  if (secret.startsWith(prefix)) return new Webhook(secret);
  return new Webhook(new TextEncoder().encode(secret), { format: 'raw' });
}
