/** Signs messages as Standard Webhooks have it, with the platform's own cryptography: for tests of apps, and for events that are forwarded (standardwebhooks.com). */

import { secretBytes } from '../verify-signature.ts';

export type MessageToSign = {
  /** `whsec_` and base64, or any other text, of which the UTF-8 bytes are used. Throws `TypeError` for one that cannot be a secret. */
  readonly secret: string;
  /** The same on every attempt of one message; without a dot. */
  readonly id: string;
  /** The time of this attempt, in milliseconds since the Unix epoch. */
  readonly atMs: number;
  readonly body: string;
};

export async function signMessage({ secret, id, atMs, body }: MessageToSign): Promise<Record<string, string>> {
  const seconds = String(Math.floor(atMs / 1000));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secretBytes(secret), algorithm, false, ['sign']);
  const signed = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${seconds}.${body}`));
  const signature = btoa(String.fromCharCode(...new Uint8Array(signed)));
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}

/** `whsec_…` of 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
