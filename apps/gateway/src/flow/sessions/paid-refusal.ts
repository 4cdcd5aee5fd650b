/** Adds the receipt to a refusal when the caller has paid for the step. */

import type { RouteRefusal } from '../../api/route.ts';
import type { Paid, PaymentGate } from '../payments/payment-gate.ts';
import type { Submission } from './decide-submission.ts';
import type { SessionSnapshot } from './session-store.ts';

/** Money was taken, now or earlier, so the payer gets the receipt. */
export function withReceipt(refusal: RouteRefusal, { receipt, headers }: Paid): RouteRefusal {
  if (receipt === undefined) return refusal;
  const members = { ...refusal.members, paymentReceipt: receipt };
  return { ...refusal, members, headers: { ...refusal.headers, ...headers } };
}

/**
 * A session may end after its step was settled and before the caller got a response: a gateway crashes, and the session is cancelled or expires before the caller repeats the submission. The
 * repeated submission still gets the receipt. Takes nothing.
 */
export async function withEarlierReceipt(
  payments: Pick<PaymentGate, 'findReceipt'>,
  snapshot: SessionSnapshot | undefined,
  { stepId, stateVersion }: Pick<Submission, 'stepId' | 'stateVersion'>,
  refusal: RouteRefusal,
): Promise<RouteRefusal> {
  const session = snapshot?.session;
  // A session that was cancelled or has expired still has the step that was paid for.
  if (session?.step.payment === undefined || !['cancelled', 'expired'].includes(session.status)) return refusal;
  if (session.step.stepId !== stepId || session.stateVersion !== stateVersion + 1) return refusal;
  const paid = await payments.findReceipt({ sessionId: session.sessionId, stateVersion, stepId });
  return paid === undefined ? refusal : withReceipt(refusal, paid);
}
