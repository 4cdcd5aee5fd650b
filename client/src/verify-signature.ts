/** Verifies signatures of Standard Webhooks with the platform's cryptography (standardwebhooks.com; contract/flow-apps). */

import { WebhookError } from './webhook-error.ts';

/** A `Headers` object, or Node.js' headers; names in any letter case. */
export type SignedHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type SignedRequest = {
  readonly headers: SignedHeaders;
  /** The raw body, byte for byte: a parsed and reprinted body has another signature. */
  readonly body: string | Uint8Array | ArrayBuffer;
};

export type VerifyOptions = {
  /**
   * The secret of the subscription or version: `whsec_` and base64, or any other text, whose UTF-8 bytes are used. Several during a rotation: each is tried.
   * Throws `TypeError` for an invalid secret.
   */
  readonly secret: string | readonly string[];
  /** Allowed difference between the signature's time and now, in seconds, in both directions. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Replaces the platform's clock: the current time in milliseconds since the Unix epoch. */
  readonly nowMs?: number | undefined;
};

export type SignedMessage = {
  /** `webhook-id`: the same on each attempt of one message; use it to skip repeated work. */
  readonly id: string;
  /** The time of this attempt, in Unix seconds. */
  readonly timestampSeconds: number;
  /** The body as text. */
  readonly text: string;
};

/** The gateway signs once for each secret, of which a rotation has a few. Further signatures are not checked. */
const maxSignatures = 16;

/**
 * Verifies any request that the gateway signed, including those to a Flow App's `/renderStep`. Throws `WebhookError` for a request without a recent signature
 * by one of these secrets. The comparison takes constant time.
 */
export async function verifySignature(request: SignedRequest, options: VerifyOptions): Promise<SignedMessage> {
  const secrets = [options.secret].flat().map(secretBytes);
  if (secrets.length === 0) throw new TypeError('A secret is missing.');
  const id = header(request.headers, 'webhook-id');
  const time = header(request.headers, 'webhook-timestamp');
  if (!/^\d{1,12}$/.test(time)) throw new WebhookError('headers', 'webhook-timestamp is not a Unix time in seconds.');
  const signatures = signaturesIn(header(request.headers, 'webhook-signature'));

  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : bytesOf(request.body);
  const signed = joined(new TextEncoder().encode(`${id}.${time}.`), body);
  if (!(await isSignedByOne(signed, signatures, secrets)))
    throw new WebhookError(
      'signature',
      'No signature in webhook-signature matches this body and one of these secrets.',
    );

  const timestampSeconds = Number(time);
  const ageSeconds = (options.nowMs ?? Date.now()) / 1000 - timestampSeconds;
  const toleranceSeconds = options.toleranceSeconds ?? 300;
  // Written so that a tolerance of NaN accepts nothing.
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

/** Signatures of the gateway's version; other versions belong to other kinds of keys. */
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

/** A header that occurs twice counts as missing, because either value may be wrong. */
function memberIn(headers: Readonly<Record<string, string | readonly string[] | undefined>>, name: string) {
  const found = Object.entries(headers).filter(([each]) => each.toLowerCase() === name);
  return found.length === 1 ? found[0]?.[1] : undefined;
}

/** Throws `TypeError` for an invalid secret. */
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
