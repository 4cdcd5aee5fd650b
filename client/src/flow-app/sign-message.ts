/** Signs messages in the form of Standard Webhooks with the platform's cryptography: for tests of apps and for forwarded events (standardwebhooks.com). */

import { secretBytes } from '../verify-signature.ts';

export type MessageToSign = {
  /** `whsec_` and base64, or any other text, whose UTF-8 bytes are used. Throws `TypeError` for an invalid secret. */
  readonly secret: string;
  /** The message's id: the same on each attempt; without a dot. */
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

/** A new secret: `whsec_…` of 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
