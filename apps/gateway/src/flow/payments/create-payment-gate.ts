/** Takes the payment for a step once: requires it, reserves, verifies and settles it, and stores the receipt. docs/decisions/0031 describes what happens when a response is lost. */

import type { Clock } from '@flowgate/base/clock';
import type { RandomBytes } from '@flowgate/base/random';
import { withoutTrailing } from '@flowgate/base/text';
import { type OfferedRequirement, requirementsOf } from '@flowgate/flow-format/payment-offer';
import type { Log } from '@flowgate/telemetry/log';
import type { RouteRefusal } from '../../api/route.ts';
import type { LedgerAccess } from './ledger-access.ts';
import {
  anotherAttempt,
  badOffer,
  facilitatorUnavailable,
  noFacilitator,
  paid,
  paymentRequired,
} from './payment-answers.ts';
import type { Facilitator } from './payment-facilitator.ts';
import type { Paid, PaidSubmission, PaymentGate } from './payment-gate.ts';
import { readPaymentHeader } from './payment-header.ts';
import { type MatchedPayment, matchPayment, type PaymentMatch } from './payment-match.ts';
import { blockBeforeNow } from './payment-proof.ts';
import { createPaymentSettlement } from './payment-settlement.ts';
import type { PaidStep, PaymentRecord, PaymentStore } from './payment-store.ts';

export type PaymentDeps = {
  readonly payments: PaymentStore;
  /** Without a facilitator, payments are required but cannot be taken. */
  readonly facilitator?: Facilitator | undefined;
  readonly ledger: LedgerAccess;
  /** The gateway's public address. */
  readonly gatewayUrl: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomBytes: RandomBytes;
  readonly log: Log;
};

type Answer = Paid | RouteRefusal;

type Taking = Pick<PaidSubmission, 'takenOver'> & { readonly ask: (error: string) => Answer };

export function createPaymentGate(deps: PaymentDeps): PaymentGate {
  const { payments, ledger, gatewayUrl } = deps;
  const { settle, clearUp } = createPaymentSettlement(deps);

  return { pay, findReceipt };

  async function pay({ session, header, takenOver }: PaidSubmission): Promise<Answer> {
    if (session.step.payment === undefined) return { ok: true, headers: {} };
    const requirements = requirementsOf(session.step.payment);
    if (requirements === undefined) return badOffer();
    const { sessionId, stateVersion } = session;
    const step: PaidStep = { sessionId, stateVersion, stepId: session.step.stepId };
    const present = await payments.find(step);
    if (present?.receipt !== undefined) return paid(present.receipt, present);
    const match = offeredPayment(requirements, header);
    // A payment that is being settled comes first. Another payment is taken only when the first is known to have failed.
    if (present?.status === 'settling' && paymentIdOf(match) !== present.paymentId) {
      const answer = await clearUp(present);
      if (answer !== undefined) return answer;
    }
    const resource = `${withoutTrailing(gatewayUrl, '/')}/flow/sessions/${sessionId}/steps/${encodeURIComponent(step.stepId)}`;
    if (match.kind === 'unmatched') return paymentRequired(requirements, resource, match.error);
    const ask = (error: string) => paymentRequired(requirements, resource, error);
    return await take(match.matched, step, { ask, takenOver });
  }

  async function findReceipt(step: PaidStep): Promise<Paid | undefined> {
    const present = await payments.find(step);
    if (present?.receipt !== undefined) return paid(present.receipt, present);
    const found = present?.status === 'settling' ? await clearUp(present) : undefined;
    return found?.ok === true ? found : undefined;
  }

  async function take(matched: MatchedPayment, step: PaidStep, { ask, takenOver }: Taking): Promise<Answer> {
    if (deps.facilitator === undefined) return noFacilitator();
    const reservation = await payments.reserve(reservationOf(matched, step), deps.clock.now());
    if (reservation.kind === 'elsewhere') return ask('this payment was already offered for another step');
    const { record } = reservation;
    if (record.receipt !== undefined) return paid(record.receipt, record);
    if (reservation.kind === 'occupied') return anotherAttempt();
    if (record.status === 'settling') {
      return (await takenOver()) ?? (await settle(deps.facilitator, matched, record, false));
    }
    const refusal = await verify(deps.facilitator, matched, record, ask);
    if (refusal !== undefined) return refusal;
    const fromBlock = await blockBeforeNow(ledger, matched.requirement.network);
    const lost = await takenOver();
    if (lost !== undefined) {
      await payments.release(record.paymentId, record.holder);
      return lost;
    }
    if (!(await payments.beginSettling(record.paymentId, record.holder, fromBlock, deps.clock.now())))
      return anotherAttempt();
    const known = fromBlock === undefined ? record : { ...record, fromBlock };
    return await settle(deps.facilitator, matched, known, true);
  }

  function reservationOf({ requirement, paymentId, terms }: MatchedPayment, step: PaidStep) {
    const { scheme, network, asset, amount, payTo } = requirement;
    return {
      ...step,
      paymentId,
      holder: deps.randomBytes(16).toString('hex'),
      requirement: { scheme, network, asset, amount, payTo },
      ...(terms === undefined ? {} : { terms }),
    };
  }

  async function verify(
    facilitator: Facilitator,
    matched: MatchedPayment,
    { paymentId, holder }: PaymentRecord,
    ask: (error: string) => Answer,
  ): Promise<Answer | undefined> {
    const verification = await facilitator.verify(matched);
    if (verification.kind === 'valid') return undefined;
    await payments.release(paymentId, holder);
    return verification.kind === 'invalid' ? ask(verification.reason) : facilitatorUnavailable();
  }
}

function offeredPayment(
  requirements: readonly OfferedRequirement[],
  header: (name: string) => string | null,
): PaymentMatch {
  const read = readPaymentHeader(header);
  if (read.kind === 'none') return { kind: 'unmatched', error: 'PAYMENT-SIGNATURE or X-Payment header is required' };
  if (read.kind === 'malformed') return { kind: 'unmatched', error: read.error };
  return matchPayment(requirements, read.payment);
}

function paymentIdOf(match: PaymentMatch): string | undefined {
  return match.kind === 'matched' ? match.matched.paymentId : undefined;
}
