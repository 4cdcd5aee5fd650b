/** The responses to payers: ProblemDetails that x402 clients of both protocol versions understand. */

import { refused } from '@flowgate/base/result';
import type { OfferedRequirement } from '@flowgate/flow-format/payment-offer';
import { encodePaymentRequiredHeader, encodePaymentResponseHeader } from '@x402/core/http';
import type { Network } from '@x402/core/types';
import type { PaymentReceipt } from '../../api/problem-wire.ts';
import type { RouteRefusal } from '../../api/route.ts';
import { inX402 } from './payment-facilitator.ts';
import type { Paid } from './payment-gate.ts';
import type { PaymentRecord } from './payment-store.ts';

/** 402: the accepted payments, and why a payment is required. Clients of version 2 read the header, those of version 1 the body. */
export function paymentRequired(requirements: readonly OfferedRequirement[], url: string, error: string): RouteRefusal {
  const resource = { url, mimeType: 'application/json' };
  const current = requirements.filter(({ version }) => version === 2);
  const x402Version = current.length === requirements.length ? 2 : 1;
  const accepts = requirements.map(({ text }) => text);
  const header = {
    'PAYMENT-REQUIRED': encodePaymentRequiredHeader({
      x402Version: 2,
      error,
      resource,
      accepts: current.map(inX402),
    }),
  };
  return {
    ...refused('payment-required', `This step has to be paid for: ${error}.`),
    members: { x402Version, error, accepts, resource },
    headers: { 'Cache-Control': 'no-store', ...(current.length > 0 ? header : {}) },
  };
}

/** The step is paid for, by this request or an earlier one. */
export function paid(receipt: PaymentReceipt, { requirement }: Pick<PaymentRecord, 'requirement'>): Paid {
  const { transaction, payer } = receipt;
  // Clients of version 1 know the network names of that version only; the type of the package is that of version 2.
  const network = requirement.network as Network;
  const more = payer === undefined ? {} : { payer };
  const response = encodePaymentResponseHeader({ success: true, transaction, network, ...more });
  return { ok: true, receipt, headers: { 'PAYMENT-RESPONSE': response, 'X-Payment-Response': response } };
}

export function badOffer(): RouteRefusal {
  return { ...refused('bad-gateway', 'The app requires a payment that is not valid x402.'), retryable: false };
}

export function noFacilitator(): RouteRefusal {
  const detail = 'This gateway cannot take payments: it has no x402 facilitator configured. Nothing was charged.';
  return { ...refused('bad-gateway', detail), retryable: false };
}

export function facilitatorUnavailable(): RouteRefusal {
  const detail = 'The payment could not be verified: the facilitator gave no usable answer. Nothing was charged.';
  return { ...refused('bad-gateway', detail), retryable: true };
}

/** Nothing was charged, and this payment cannot be settled. */
export function settlementFailed(reason: string): RouteRefusal {
  return { ...refused('bad-gateway', `payment settlement failed: ${reason}`), retryable: false };
}

/** The payer may have been charged. */
export function outcomeUnknown(reason?: string): RouteRefusal {
  const failed = reason === undefined ? '' : `payment settlement failed: ${reason}; `;
  const detail = `${failed}the outcome of the settlement is not known yet: repeat the submission with the same payment.`;
  return { ...refused('bad-gateway', detail), retryable: true };
}

export function anotherAttempt(): RouteRefusal {
  return {
    ...refused('conflict', 'Another payment for this step is in progress; try again in a moment.'),
    retryable: true,
  };
}
