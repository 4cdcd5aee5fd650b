/** The state of a run, for a page or a terminal. */

import type { FieldFinding, FlowgateError } from '../flowgate-error.ts';
import type { JsonMembers, PaymentReceipt, Session } from '../wire.ts';

/**
 * `starting`, `submitting`: waiting for an answer. `step`: `session.currentStep` needs an action. `payment`: the action needs a payment for one of `accepts`
 * first. `unanswered`: it is unknown whether the start or the submission was executed; `retry` finds out, and executes it if it was not. `over`: the session
 * has ended, see its `status`. `failed`: the session cannot continue; `error` is the reason.
 */
export type FlowRunPhase = 'starting' | 'step' | 'submitting' | 'payment' | 'unanswered' | 'over' | 'failed';

export type FlowRunState = {
  readonly phase: FlowRunPhase;
  /** Absent before the session has started. */
  readonly session?: Session;
  /** The problems of the last submission; `fieldId` names the field. */
  readonly findings: readonly FieldFinding[];
  /** In the phase `payment`: x402's PaymentRequirements. */
  readonly accepts: readonly JsonMembers[];
  /** The last refusal; cleared by the next success. */
  readonly error?: FlowgateError;
  /** Receipt of the last payment that was taken, also when its step was refused afterwards. */
  readonly receipt?: PaymentReceipt;
};

/** The effect of a refused submission on the session. */
export type Verdict = 'nothing happened' | 'payment' | 'moved on' | 'unknown' | 'impossible';

export function verdictOn(error: FlowgateError): Verdict {
  const { status, kind } = error;
  if (status === 402) return 'payment';
  if (status === 404 || status === 410) return 'impossible';
  if (kind === 'no-answer' || kind === 'unreadable' || status >= 500)
    return mayHaveRun(error) ? 'unknown' : 'nothing happened';
  if (status === 409) return error.retryable === true ? 'unknown' : 'moved on';
  return 'nothing happened';
}

/** A 502 that is not retryable is final: the gateway refused the app's answer, and the session is unchanged (contract/flow-apps#answers). */
function mayHaveRun({ status, retryable, kind }: FlowgateError): boolean {
  return kind !== 'problem' || retryable === true || status !== 502;
}
