/** The x402 facilitator as the gateway uses it: every answer and every failure of its, sorted by what is known afterwards. */

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
  /** Nothing was said about the payment. */
  | { readonly kind: 'away' };

export type Settlement =
  | { readonly kind: 'settled'; readonly transaction: string; readonly payer?: string }
  /** It says that it did not settle. `certain`: and had sent nothing to a chain by then. */
  | { readonly kind: 'refused'; readonly reason: string; readonly certain: boolean }
  /** No answer, or none that can be read: it may have settled. */
  | { readonly kind: 'unclear' };

/** Neither throws. */
export type Facilitator = {
  readonly verify: (payment: MatchedPayment) => Promise<Verification>;
  /** For one payment it may be called again: an authorisation is executed once. */
  readonly settle: (payment: MatchedPayment) => Promise<Settlement>;
};

export type FacilitatorOptions = {
  readonly url: string;
  readonly verifyTimeoutMs: number;
  /** A chain's confirmation is waited for. */
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
        return { kind: 'away' };
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

/** Reasons that are found before anything is sent. What speaks of transactions, nonces or their simulation may come of an earlier attempt that went through. */
const foundBefore = /^(invalid|unsupported|insufficient|permit2|eip2612|erc20_approval|eip6492|asset_not_deployed)_/;
const foundAfter = /transaction|nonce|simulation|transfer_event|broadcast|tx_failed|pending|state/;

function refusalOf(reason: string | undefined, transaction: string | undefined): Settlement {
  const code = codeOf(reason, 'unexpected_settle_error');
  const isEarly = foundBefore.test(code) && !foundAfter.test(code);
  return { kind: 'refused', reason: code, certain: isEarly && (transaction ?? '') === '' };
}

/** Facilitators put anything into a reason, addresses and signatures among it: only what looks like a code goes on. */
function codeOf(reason: string | undefined, otherwise: string): string {
  return reason !== undefined && /^[a-z][a-z0-9_]{0,79}$/i.test(reason) ? reason : otherwise;
}

/** The payer's part, with the requirement as the app wrote it in place of the payer's copy. */
function payloadOf({ payment, requirement }: MatchedPayment): PaymentPayload {
  const { version, extensions } = payment;
  const payload = identifiedPart(payment.payload);
  const { scheme, network } = requirement;
  // The package has one type for both versions' payloads and tells them apart when it sends them.
  if (version === 1) return { x402Version: 1, scheme, network, payload } as unknown as PaymentPayload;
  const accepted = inX402(requirement);
  return { x402Version: 2, accepted, payload, ...(extensions === undefined ? {} : { extensions }) };
}

/** As the app wrote it. The package's type is the second version's; what it needs of it was checked when the app answered. */
export function inX402({ text }: OfferedRequirement): PaymentRequirements {
  return text as unknown as PaymentRequirements;
}
