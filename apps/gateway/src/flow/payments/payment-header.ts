/** Reads the payment in a request's headers: `PAYMENT-SIGNATURE` or `X-Payment`, base64 of JSON, in either version of the protocol. */

import type { JsonObject } from '@flowgate/json/json-object';
import { notJson, parseJsonBytes } from '@flowgate/json/json-text';
import { parsePaymentPayload } from '@x402/core/schemas';
import { Base64EncodedRegex } from '@x402/core/utils';

export type OfferedPayment = {
  readonly version: 1 | 2;
  /** What the payer claims to pay. It only selects among the requirements and is never trusted. */
  readonly claimed: {
    readonly scheme: string;
    readonly network: string;
    readonly asset?: string;
    readonly amount?: string;
    readonly payTo?: string;
  };
  /** The payload of the scheme, which contains the signature: for the facilitator, never for a log. */
  readonly payload: JsonObject;
  readonly extensions?: JsonObject;
};

export type ReadPayment =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly error: string }
  | { readonly kind: 'payment'; readonly payment: OfferedPayment };

/** Official clients send 1,000 to 2,000 characters. */
const maxCharacters = 16_384;

/** If both headers are present, that of version 2 is used. */
export function readPaymentHeader(header: (name: string) => string | null): ReadPayment {
  const text = header('payment-signature') ?? header('x-payment');
  if (text === null || text === '') return { kind: 'none' };
  if (text.length > maxCharacters) return malformed('the payment header is too long');
  const decoded = Base64EncodedRegex.test(text) ? parseJsonBytes(Buffer.from(text, 'base64')) : notJson;
  if (typeof decoded === 'string')
    return malformed(`the payment header ${decoded === notJson ? 'is not base64 of JSON' : decoded}`);
  const parsed = parsePaymentPayload(decoded.value);
  if (!parsed.success) return malformed('the payment header is not an x402 payment payload');
  const { data } = parsed;
  if (data.x402Version === 1) {
    const { scheme, network, payload } = data;
    return { kind: 'payment', payment: { version: 1, claimed: { scheme, network }, payload } };
  }
  const { accepted, payload, extensions } = data;
  const { scheme, network, asset, amount, payTo } = accepted;
  const claimed = { scheme, network, asset, amount, payTo };
  const more = extensions === undefined || extensions === null ? {} : { extensions };
  return { kind: 'payment', payment: { version: 2, claimed, payload, ...more } };
}

function malformed(error: string): ReadPayment {
  return { kind: 'malformed', error };
}
