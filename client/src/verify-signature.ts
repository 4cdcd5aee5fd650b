/** Verifies the signatures of Standard Webhooks, with the platform's own cryptography (standardwebhooks.com; contract/flow-apps). */

import { WebhookError } from './webhook-error.ts';

/** As `Headers`, or as Node.js has them; names in any letter case. */
export type SignedHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type SignedRequest = {
  readonly headers: SignedHeaders;
  /** The body, byte for byte: one that was parsed and printed again has another signature. */
  readonly body: string | Uint8Array | ArrayBuffer;
};

export type VerifyOptions = {
  /**
   * The secret of the subscription or version: `whsec_` and base64, or any other text, of which the UTF-8 bytes are used. Several while one replaces another: each
   * is tried. Throws `TypeError` for a text that cannot be a secret.
   */
  readonly secret: string | readonly string[];
  /** How far the signature's time may differ from now, in both directions. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** The present time in milliseconds since the Unix epoch, instead of the platform's clock. */
  readonly nowMs?: number | undefined;
};

export type SignedMessage = {
  /** `webhook-id`: the same on every attempt of one message, so that repeated work can be skipped. */
  readonly id: string;
  /** The time of this attempt, in Unix seconds. */
  readonly timestampSeconds: number;
  /** The body as text. */
  readonly text: string;
};

/** The gateway signs once for each secret, of which a rotation has a few. Further signatures are not checked. */
const maxSignatures = 16;

/**
 * Verifies any request that the gateway signed, including those to a Flow App's `/renderStep`. Throws `WebhookError` for one that was not signed recently with one
 * of these secrets. The comparison takes the same time wherever signatures differ.
 */
export async function verifySignature(request: SignedRequest, options: VerifyOptions): Promise<SignedMessage> {
  const secrets = [options.secret].flat().map(secretBytes);
  if (secrets.length === 0) throw new TypeError('A secret is missing.');
  const id = header(request.headers, 'webhook-id');
  const time = header(request.headers, 'webhook-timestamp');
  if (!/^\d{1,12}$/.test(time)) throw new WebhookError('headers', 'webhook-timestamp is no Unix time in seconds.');
  const signatures = signaturesIn(header(request.headers, 'webhook-signature'));

  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : bytesOf(request.body);
  const signed = joined(new TextEncoder().encode(`${id}.${time}.`), body);
  if (!(await isSignedByOne(signed, signatures, secrets)))
    throw new WebhookError('signature', 'No signature in webhook-signature is one of these secrets over this body.');

  const timestampSeconds = Number(time);
  const ageSeconds = (options.nowMs ?? Date.now()) / 1000 - timestampSeconds;
  const toleranceSeconds = options.toleranceSeconds ?? 300;
  // Written so that a tolerance that is not a number accepts nothing.
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
    const where = ageSeconds > 0 ? 'ago' : 'ahead of this clock';
    throw new WebhookError('timestamp', `The request was signed ${Math.round(Math.abs(ageSeconds))} s ${where}.`);
  }
  return { id, timestampSeconds, text: new TextDecoder().decode(body) };
}

async function isSignedByOne(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  for (const secret of secrets) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify']);
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

/** Signatures of the version that the gateway uses; others are for other kinds of keys. */
function signaturesIn(text: string): readonly Uint8Array<ArrayBuffer>[] {
  return text
    .split(' ', maxSignatures)
    .filter((each) => each.startsWith('v1,'))
    .flatMap((each) => fromBase64(each.slice('v1,'.length)) ?? []);
}

function header(headers: SignedHeaders, name: string): string {
  const value = isLookup(headers) ? headers.get(name) : memberIn(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookError('headers', `The header ${name} is missing.`);
}

function isLookup(headers: SignedHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}

/** A header that is present twice counts as missing: no one can say which one is right. */
function memberIn(headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string) {
  const found = Object.entries(headers).filter(([each]) => each.toLowerCase() === name);
  return found.length === 1 ? found[0]?.[1] : undefined;
}

/** Throws `TypeError` for a text that cannot be a secret. */
export function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const key = secret.startsWith('whsec_')
    ? fromBase64(secret.slice('whsec_'.length))
    : new TextEncoder().encode(secret);
  if (key === undefined || key.length === 0) {
    throw new TypeError('The secret is empty, or what follows whsec_ is not base64.');
  }
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  // `atob` alone accepts white space.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function bytesOf(body: Uint8Array | ArrayBuffer): Uint8Array {
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body;
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return whole;
}
