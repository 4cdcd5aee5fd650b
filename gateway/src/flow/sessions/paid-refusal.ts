/** A refusal that somebody gets who has paid: with the receipt, whatever came of the step. */

import type { RouteRefusal } from '../../api/route.ts';
import type { Paid, PaymentGate } from '../payments/payment-gate.ts';
import type { Submission } from './decide-submission.ts';
import type { SessionSnapshot } from './session-store.ts';

/** Money was taken, now or earlier: whoever paid learns of it. */
export function withReceipt(refusal: RouteRefusal, { receipt, headers }: Paid): RouteRefusal {
  if (receipt === undefined) return refusal;
  const members = { ...refusal.members, paymentReceipt: receipt };
  return { ...refusal, members, headers: { ...refusal.headers, ...headers } };
}

/**
 * A session may end between the settlement of its step and the answer: a gateway dies, and it is cancelled or expires before anybody goes on. The submission that is sent again
 * still finds the receipt, also one that has to be looked for on the chain. Takes nothing.
 */
export async function withEarlierReceipt(
  payments: Pick<PaymentGate, 'findReceipt'>,
  snapshot: SessionSnapshot | undefined,
  { stepId, stateVersion }: Pick<Submission, 'stepId' | 'stateVersion'>,
  refusal: RouteRefusal,
): Promise<RouteRefusal> {
  const session = snapshot?.session;
  // The end that is not an app's answer keeps the step.
  if (session?.step.payment === undefined || !['cancelled', 'expired'].includes(session.status)) return refusal;
  if (session.step.stepId !== stepId || session.stateVersion !== stateVersion + 1) return refusal;
  const paid = await payments.findReceipt({ sessionId: session.sessionId, stateVersion, stepId });
  return paid === undefined ? refusal : withReceipt(refusal, paid);
}
