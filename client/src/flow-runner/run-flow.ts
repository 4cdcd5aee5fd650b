/** Drives a run from its start to its end with the answers of a person or a program: for terminals, services and tests. */

import { pause } from '../deadline.ts';
import type { FieldFinding, FlowgateError } from '../flowgate-error.ts';
import { mayPass, retryDelayMs } from '../retry-delay.ts';
import type { Field, JsonMembers, Session } from '../wire.ts';
import type { FlowAnswer, FlowRun } from './flow-run.ts';
import type { FlowRunState } from './flow-run-state.ts';

/** What is asked for; `undefined` as the answer leaves the run as it is, to be continued later. */
export type FlowHandlers = {
  /** Which action, with which values. `findings` and `error` say why the last answer was refused; `signed` are the values that `sign` gave. */
  readonly answer: (asked: StepAsked) => Promise<FlowAnswer | undefined>;
  /**
   * A value for a field of the type `signedTransaction`, `txHash` or `signature` of a step that has a `transaction`, which is exactly what is to be signed. Asked once
   * for each step, also after a crash when the run has a journal: a `txHash` is of a transaction that was sent. Again only when a signature was refused.
   */
  readonly sign?: ((asked: SignatureAsked) => Promise<string | undefined>) | undefined;
  /** An x402 payment for one of `accepts`, as the header's value. Whoever signs decides what for. */
  readonly pay?: ((asked: PaymentAsked) => Promise<string | undefined>) | undefined;
  /** The step came again, has nothing to fill in and one action: wait, then `true` takes that action, `false` asks `answer`. */
  readonly wait?: ((asked: WaitAsked) => Promise<boolean>) | undefined;
};

export type StepAsked = {
  readonly session: Session;
  readonly findings: readonly FieldFinding[];
  readonly error: FlowgateError | undefined;
  readonly signed: JsonMembers;
};
export type SignatureAsked = { readonly session: Session; readonly transaction: JsonMembers; readonly field: Field };
export type PaymentAsked = {
  readonly session: Session;
  readonly accepts: readonly JsonMembers[];
  /** The 402, which also says why the last payment was not taken. */
  readonly error: FlowgateError | undefined;
};
export type WaitAsked = {
  readonly session: Session;
  /** How often the step has come since it came first: 1 at the first wait. */
  readonly rounds: number;
};

export type RunFlowOptions = {
  /** Ends it; it then rejects with the signal's reason, and the run can be continued. */
  readonly signal?: AbortSignal | undefined;
  /** How often in a row what has no answer is sent again, under its key. Default 10. */
  readonly retries?: number | undefined;
};

/** A program that gives the same wrong answer again and again. */
const maxRefusals = 100;
/** In seconds; beyond the gateway's window of 60 s. */
const maxRetryAfterSeconds = 90;
const signedTypes: readonly string[] = ['signedTransaction', 'txHash', 'signature'];

/**
 * Resolves with the last state: `over`, `failed`, or what a handler left. Throws what handlers throw, and `FlowgateError` when there is no answer after all retries; the
 * run is then still good.
 */
export async function runFlow(
  run: FlowRun,
  handlers: FlowHandlers,
  { signal = new AbortController().signal, retries = 10 }: RunFlowOptions = {},
): Promise<FlowRunState> {
  let failures = 0;
  let refusals = 0;
  let rounds = 0;
  let before: Session | undefined;
  let last: FlowAnswer | undefined;
  let state = run.state().phase === 'starting' ? await run.begin({ signal }) : run.state();
  for (;;) {
    signal.throwIfAborted();
    const { phase, session, error } = state;
    if (phase === 'over' || phase === 'failed') return state;
    if (phase === 'unanswered' || (phase === 'step' && error?.status === 429 && last !== undefined)) {
      failures += 1;
      if (error !== undefined) await waitAfter(error, failures > retries, failures, signal);
      state = phase === 'step' && last !== undefined ? await run.submit(last, { signal }) : await run.retry({ signal });
      continue;
    }
    if (session === undefined) throw new TypeError(`The run is ${phase}: another call is in progress.`);
    failures = 0;
    if (phase === 'payment') {
      const { accepts } = state;
      const payment = await handlers.pay?.({ session, accepts, error });
      if (payment === undefined) return state;
      state = await run.pay(payment, { signal });
      refusals = state.phase === 'payment' ? refusals + 1 : 0;
    } else {
      const isNew = session.stateVersion !== before?.stateVersion;
      if (isNew) rounds = session.currentStep.stepId === before?.currentStep.stepId ? rounds + 1 : 0;
      refusals = isNew ? 0 : refusals + 1;
      before = session;
      const answer = await answerTo(run, state, session, handlers, isNew ? rounds : 0);
      if (answer === undefined) return state;
      last = answer;
      state = await run.submit(answer, { signal });
    }
    if (refusals > maxRefusals) throw state.error ?? new TypeError('The answers lead nowhere.');
  }
}

/** Throws the error when waiting does not help, or not soon. */
async function waitAfter(error: FlowgateError, isLast: boolean, failures: number, signal: AbortSignal): Promise<void> {
  if (isLast || !mayPass(error) || (error.retryAfter ?? 0) > maxRetryAfterSeconds) throw error;
  await pause(retryDelayMs(error, failures, Math.random), signal);
}

async function answerTo(
  run: FlowRun,
  { findings, error }: FlowRunState,
  session: Session,
  handlers: FlowHandlers,
  rounds: number,
): Promise<FlowAnswer | undefined> {
  const { fields, actions } = session.currentStep;
  const [only] = actions;
  if (rounds > 0 && fields.length === 0 && actions.length === 1 && only !== undefined && handlers.wait !== undefined) {
    if (await handlers.wait({ session, rounds })) return { actionId: only.actionId };
  }
  const signed = await signatures(run, session, findings, handlers);
  return signed === undefined ? undefined : handlers.answer({ session, findings, error, signed });
}

/** `undefined` when the signer leaves. */
async function signatures(
  run: FlowRun,
  session: Session,
  findings: readonly FieldFinding[],
  { sign }: FlowHandlers,
): Promise<JsonMembers | undefined> {
  const { fields, transaction } = session.currentStep;
  if (sign === undefined || transaction === undefined) return {};
  let signed = run.signed();
  for (const field of fields.filter(({ type }) => signedTypes.includes(type))) {
    const isRefused = field.type !== 'txHash' && findings.some(({ fieldId }) => fieldId === field.fieldId);
    if (signed[field.fieldId] !== undefined && !isRefused) continue;
    const value = await sign({ session, transaction, field });
    if (value === undefined) return undefined;
    signed = { ...signed, [field.fieldId]: value };
    await run.keepSigned(signed);
  }
  return signed;
}
