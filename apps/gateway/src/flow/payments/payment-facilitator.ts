/** Calls the x402 facilitator to verify and to settle payments, within limits of time and bytes. Classifies responses and failures by what is then known about the payment. */

import { withoutTrailing } from '@flowgate/base/text';
import type { OfferedRequirement } from '@flowgate/flow-format/payment-offer';
import { credentialsOf } from '@flowgate/http1/client/http1-origin';
import type { SafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import { type JsonObject, parseJsonObject } from '@flowgate/json/json-object';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { identifiedPart } from './payment-identity.ts';
import type { MatchedPayment } from './payment-match.ts';

export type Verification =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly reason: string }
  /** The facilitator returned no result for the payment. */
  | { readonly kind: 'unavailable' };

export type Settlement =
  | { readonly kind: 'settled'; readonly transaction: string; readonly payer?: string }
  /** The facilitator reports that it did not settle. `certain`: it also sent nothing to a chain. */
  | { readonly kind: 'refused'; readonly reason: string; readonly certain: boolean }
  /** No response, or an unreadable one: the payment may have been settled. */
  | { readonly kind: 'unclear' };

/** Neither method throws. */
export type Facilitator = {
  readonly verify: (payment: MatchedPayment) => Promise<Verification>;
  /** May be called again for the same payment: a chain executes an authorization only once. */
  readonly settle: (payment: MatchedPayment) => Promise<Settlement>;
};

export type FacilitatorOptions = {
  readonly url: string;
  readonly request: SafeFetch['request'];
  readonly verifyTimeoutMs: number;
  /** Includes the wait for the chain's confirmation. */
  readonly settleTimeoutMs: number;
};

/** Limit of a response in bytes (contract/bounds#sizes), far above a result with its extensions. */
export const maxFacilitatorBytes = 262_144;

/** An object that the facilitator sent, with any status. */
type Answer = { readonly isOk: boolean; readonly members: JsonObject };

export function openFacilitator(options: FacilitatorOptions): Facilitator {
  const { request, verifyTimeoutMs, settleTimeoutMs } = options;
  const url = withoutTrailing(options.url, '/');
  const headers = {
    Accept: 'application/json',
    'Content-Type': 'application/json',
    ...Object.fromEntries(credentialsOf(new URL(url))),
  };

  /** Redirects are not followed: a payment goes to the configured address only. */
  async function post(path: string, payment: MatchedPayment, timeoutMs: number): Promise<Answer | undefined> {
    const reply = await request({
      url: url + path,
      tenant: 'facilitator',
      // The operator configures the address.
      vouched: true,
      method: 'POST',
      headers,
      body: JSON.stringify(requestOf(payment)),
      timeoutMs,
      maxBytes: maxFacilitatorBytes,
    });
    if (!reply.ok) return undefined;
    const members = parseJsonObject(reply.body);
    return members === undefined ? undefined : { isOk: reply.status >= 200 && reply.status <= 299, members };
  }

  return {
    async verify(payment) {
      const answer = await post('/verify', payment, verifyTimeoutMs);
      return answer === undefined ? { kind: 'unavailable' } : verificationOf(answer);
    },

    async settle(payment) {
      const answer = await post('/settle', payment, settleTimeoutMs);
      return answer === undefined ? { kind: 'unclear' } : settlementOf(answer);
    },
  };
}

function requestOf(payment: MatchedPayment): object {
  const paymentPayload = payloadOf(payment);
  return { x402Version: paymentPayload.x402Version, paymentPayload, paymentRequirements: inX402(payment.requirement) };
}

/** With an error status, only a response with a reason counts as a result. */
function verificationOf({ isOk, members }: Answer): Verification {
  const reason = textOf(members, 'invalidReason');
  if (isOk && members['isValid'] === true) return { kind: 'valid' };
  if (typeof members['isValid'] !== 'boolean' || (!isOk && reason === undefined)) return { kind: 'unavailable' };
  return { kind: 'invalid', reason: codeOf(reason, 'unexpected_verify_error') };
}

function settlementOf({ isOk, members }: Answer): Settlement {
  const { success } = members;
  const transaction = textOf(members, 'transaction');
  if (typeof success !== 'boolean') return { kind: 'unclear' };
  if (!isOk) return refusalOf(textOf(members, 'errorReason'), transaction);
  if (transaction === undefined || textOf(members, 'network') === undefined) return { kind: 'unclear' };
  if (!success) return refusalOf(textOf(members, 'errorReason'), transaction);
  const payer = textOf(members, 'payer');
  return { kind: 'settled', transaction, ...(payer === undefined ? {} : { payer }) };
}

function textOf(members: JsonObject, name: string): string | undefined {
  const value = members[name];
  return typeof value === 'string' ? value : undefined;
}

/** Reasons that facilitators determine before they send a transaction. A reason about transactions, nonces or a simulation may result from an earlier attempt that succeeded. */
const foundBefore = /^(invalid|unsupported|insufficient|permit2|eip2612|erc20_approval|eip6492|asset_not_deployed)_/;
const foundAfter = /transaction|nonce|simulation|transfer_event|broadcast|tx_failed|pending|state/;

function refusalOf(reason: string | undefined, transaction: string | undefined): Settlement {
  const code = codeOf(reason, 'unexpected_settle_error');
  const isEarly = foundBefore.test(code) && !foundAfter.test(code);
  return { kind: 'refused', reason: code, certain: isEarly && (transaction ?? '') === '' };
}

/** Facilitators include addresses and signatures in reasons, so only texts that look like a code are returned to callers. */
function codeOf(reason: string | undefined, otherwise: string): string {
  return reason !== undefined && /^[a-z][a-z0-9_]{0,79}$/i.test(reason) ? reason : otherwise;
}

/** The payer's payload with the app's requirement, instead of the payer's copy of it. */
function payloadOf({ payment, requirement }: MatchedPayment): PaymentPayload {
  const { version, extensions } = payment;
  const payload = identifiedPart(payment.payload);
  const { scheme, network } = requirement;
  // The package has one type for payloads of both versions and distinguishes them when it sends them.
  if (version === 1) return { x402Version: 1, scheme, network, payload } as unknown as PaymentPayload;
  const accepted = inX402(requirement);
  return { x402Version: 2, accepted, payload, ...(extensions === undefined ? {} : { extensions }) };
}

/** The requirement as the app sent it. The package's type is that of version 2; its required members were validated with the app's response. */
export function inX402({ text }: OfferedRequirement): PaymentRequirements {
  return text as unknown as PaymentRequirements;
}
