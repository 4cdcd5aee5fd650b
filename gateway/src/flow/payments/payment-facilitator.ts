/** The client of the x402 facilitator. It classifies responses and failures by what is known afterwards. */

import { HTTPFacilitatorClient } from '@x402/core/http';
import {
  type PaymentPayload,
  type PaymentRequirements,
  SettleError,
  type SettleResponse,
  VerifyError,
  type VerifyResponse,
} from '@x402/core/types';
import { identifiedPart } from './payment-id.ts';
import type { MatchedPayment } from './payment-match.ts';
import type { OfferedRequirement } from './payment-offer.ts';

export type Verification =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly reason: string }
  /** The facilitator did not judge the payment. */
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
  /** May be called again for the same payment: a chain executes an authorisation only once. */
  readonly settle: (payment: MatchedPayment) => Promise<Settlement>;
};

export type FacilitatorOptions = {
  readonly url: string;
  readonly verifyTimeoutMs: number;
  /** Includes the wait for the chain's confirmation. */
  readonly settleTimeoutMs: number;
};

export function openFacilitator({ url, verifyTimeoutMs, settleTimeoutMs }: FacilitatorOptions): Facilitator {
  const verifying = new HTTPFacilitatorClient({ url, timeoutMs: verifyTimeoutMs });
  const settling = new HTTPFacilitatorClient({ url, timeoutMs: settleTimeoutMs });
  return {
    async verify(payment) {
      try {
        return verificationOf(await verifying.verify(payloadOf(payment), inX402(payment.requirement)));
      } catch (error) {
        if (error instanceof VerifyError && error.invalidReason !== undefined)
          return { kind: 'invalid', reason: codeOf(error.invalidReason, 'unexpected_verify_error') };
        return { kind: 'unavailable' };
      }
    },

    async settle(payment) {
      try {
        return settlementOf(await settling.settle(payloadOf(payment), inX402(payment.requirement)));
      } catch (error) {
        if (error instanceof SettleError) return refusalOf(error.errorReason, error.transaction);
        return { kind: 'unclear' };
      }
    },
  };
}

function verificationOf({ isValid, invalidReason }: VerifyResponse): Verification {
  if (isValid) return { kind: 'valid' };
  return { kind: 'invalid', reason: codeOf(invalidReason, 'unexpected_verify_error') };
}

function settlementOf({ success, transaction, payer, errorReason }: SettleResponse): Settlement {
  if (!success) return refusalOf(errorReason, transaction);
  return { kind: 'settled', transaction, ...(payer === undefined ? {} : { payer }) };
}

/** Reasons that facilitators find before they send anything. A reason about transactions, nonces or a simulation may result from an earlier attempt that succeeded. */
const foundBefore = /^(invalid|unsupported|insufficient|permit2|eip2612|erc20_approval|eip6492|asset_not_deployed)_/;
const foundAfter = /transaction|nonce|simulation|transfer_event|broadcast|tx_failed|pending|state/;

function refusalOf(reason: string | undefined, transaction: string | undefined): Settlement {
  const code = codeOf(reason, 'unexpected_settle_error');
  const isEarly = foundBefore.test(code) && !foundAfter.test(code);
  return { kind: 'refused', reason: code, certain: isEarly && (transaction ?? '') === '' };
}

/** Facilitators put addresses and signatures into reasons, so only texts that look like a code are passed on. */
function codeOf(reason: string | undefined, otherwise: string): string {
  return reason !== undefined && /^[a-z][a-z0-9_]{0,79}$/i.test(reason) ? reason : otherwise;
}

/** The payer's payload, with the requirement as the app wrote it instead of the payer's copy. */
function payloadOf({ payment, requirement }: MatchedPayment): PaymentPayload {
  const { version, extensions } = payment;
  const payload = identifiedPart(payment.payload);
  const { scheme, network } = requirement;
  // The package has one type for payloads of both versions and distinguishes them when it sends them.
  if (version === 1) return { x402Version: 1, scheme, network, payload } as unknown as PaymentPayload;
  const accepted = inX402(requirement);
  return { x402Version: 2, accepted, payload, ...(extensions === undefined ? {} : { extensions }) };
}

/** The requirement as the app wrote it. The package's type is that of version 2; the members that it needs were checked when the app responded. */
export function inX402({ text }: OfferedRequirement): PaymentRequirements {
  return text as unknown as PaymentRequirements;
}
