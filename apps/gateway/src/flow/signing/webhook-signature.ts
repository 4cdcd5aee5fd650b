/** Standard Webhooks signatures, on requests to Flow Apps and to webhook endpoints (standardwebhooks.com; contract/events#webhooks). */

import { createHmac } from 'node:crypto';
import type { RandomBytes } from '@flowgate/base/random';

export type SignedMessage = {
  /** The secret as the endpoint's owner knows it: `whsec_` and base64, or any other text, of which the UTF-8 bytes are used. */
  readonly secret: string;
  /** The same for every attempt of one message. Contains no dot. */
  readonly id: string;
  /** The time of this attempt. Receivers refuse a time that is five minutes off. */
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
/** The specification requires 24 to 64 bytes. */
const newSecretBytes = 32;

/** @throws Error for a secret that `isWebhookSecret` refuses. */
export function signWebhook({ secret, id, atMs, body }: SignedMessage): WebhookHeaders {
  const key = keyOf(secret);
  if (key === undefined) throw new Error('nothing can be signed with this secret');
  const seconds = Math.floor(atMs / 1000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  };
}

/** Whether the secret can sign messages: `whsec_` must be followed by padded base64 of at least one byte. */
export function isWebhookSecret(secret: string): boolean {
  return keyOf(secret) !== undefined;
}

export function newWebhookSecret(randomBytes: RandomBytes): string {
  return prefix + randomBytes(newSecretBytes).toString('base64');
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function keyOf(secret: string): Buffer | undefined {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : undefined;
  if (secret === '' || encoded === '' || (encoded !== undefined && !base64.test(encoded))) return undefined;
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
}
