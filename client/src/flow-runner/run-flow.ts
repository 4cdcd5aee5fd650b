/** Drives a run from start to end with answers from handlers: for terminals, services and tests. */

import { pause } from '../deadline.ts';
import type { FieldFinding, FlowgateError } from '../flowgate-error.ts';
import { mayPass, retryDelayMs } from '../retry-delay.ts';
import type { Field, JsonMembers, Session } from '../wire.ts';
import type { FlowAnswer, FlowRun } from './flow-run.ts';
import type { FlowRunState } from './flow-run-state.ts';

/** Handlers for a run's questions. A handler that returns `undefined` leaves the run as it is, to be continued later. */
export type FlowHandlers = {
  /** Chooses an action and its values. `findings` and `error` say why the last answer was refused; `signed` are the values from `sign`. */
  readonly answer: (asked: StepAsked) => Promise<FlowAnswer | undefined>;
  /**
   * Returns a value for a field of the type `signedTransaction`, `txHash` or `signature`, in a step with a `transaction`. Sign exactly that `transaction`.
   * Called once for each step, also after a crash if the run has a journal, because a `txHash` means that a transaction was sent. Called again only when a
   * signature was refused.
   */
  readonly sign?: ((asked: SignatureAsked) => Promise<string | undefined>) | undefined;
  /** Returns an x402 payment for one of `accepts`, as the header's value. The handler decides which payments are acceptable. */
  readonly pay?: ((asked: PaymentAsked) => Promise<string | undefined>) | undefined;
  /**
   * Called when the same step returns, with one action and no fields to fill in: wait, then return `true` to take that action, or `false` to call `answer`.
   */
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
  /** How often the step has returned: 1 at the first wait. */
  readonly rounds: number;
};

export type RunFlowOptions = {
  /** Ends the loop, which rejects with the signal's reason; the run can be continued. */
  readonly signal?: AbortSignal | undefined;
  /** How often in a row an unanswered request is repeated under its key. Default 10. */
  readonly retries?: number | undefined;
};

/** Stops a program that repeats the same wrong answer. */
const maxRefusals = 100;
/** In seconds; longer than the gateway's window of 60 s. */
const maxRetryAfterSeconds = 90;
const signedTypes: readonly string[] = ['signedTransaction', 'txHash', 'signature'];

/**
 * Resolves with the last state: `over`, `failed`, or the state at which a handler left. Throws the handlers' errors, and `FlowgateError` when no answer arrives
 * after all retries; the run can then still be continued.
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
    if (refusals > maxRefusals) throw state.error ?? new TypeError('The answers were refused too many times in a row.');
  }
}

/** Throws the error when waiting does not help, or would take too long. */
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
