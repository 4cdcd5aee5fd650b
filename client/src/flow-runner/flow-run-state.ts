/** Where a run stands, as a page or a terminal shows it. */

import type { FieldFinding, FlowgateError } from '../flowgate-error.ts';
import type { JsonMembers, PaymentReceipt, Session } from '../wire.ts';

/**
 * `starting`, `submitting`: an answer is awaited. `step`: `session.currentStep` wants an action. `payment`: the action wants one of `accepts` paid first.
 * `unanswered`: no one knows whether the start or the submission was executed; `retry` finds out, and executes it if it was not. `over`: the session has ended, see
 * its `status`. `failed`: the session cannot continue, `error` says why.
 */
export type FlowRunPhase = 'starting' | 'step' | 'submitting' | 'payment' | 'unanswered' | 'over' | 'failed';

export type FlowRunState = {
  readonly phase: FlowRunPhase;
  /** Absent until it has begun. */
  readonly session?: Session;
  /** What the last submission had wrong; `fieldId` names the field. */
  readonly findings: readonly FieldFinding[];
  /** In the phase `payment`: x402's PaymentRequirements. */
  readonly accepts: readonly JsonMembers[];
  /** The last refusal; gone with the next success. */
  readonly error?: FlowgateError;
  /** Of the last payment that was taken, also when its step was refused afterwards. */
  readonly receipt?: PaymentReceipt;
};

/** What a refused submission means. */
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

/** A 502 that is not retryable is final: the app's answer was refused, and the session is as it was (contract/flow-apps#answers). */
function mayHaveRun({ status, retryable, kind }: FlowgateError): boolean {
  return kind !== 'problem' || retryable === true || status !== 502;
}
