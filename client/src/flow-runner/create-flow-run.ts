/** Creates a run. It executes one call at a time, and stores each request that may have to be repeated before sending it. */

import type { FlowSessions } from '../flow-sessions.ts';
import { FlowgateError } from '../flowgate-error.ts';
import { newIdempotencyKey } from '../idempotency-key.ts';
import type { JsonMembers, PaymentReceipt, Session } from '../wire.ts';
import type { FlowRun, FlowRunBeginning, FlowRunCall, FlowRunOptions } from './flow-run.ts';
import { type FlowRunRecord, isSame, type PendingSubmission, withoutSecrets } from './flow-run-record.ts';
import { type FlowRunPhase, type FlowRunState, verdictOn } from './flow-run-state.ts';

type Sessions = Pick<FlowSessions, 'start' | 'get' | 'submit' | 'cancel'>;

/** `sessions` is `client.flow.sessions`. Sends nothing until `begin`. */
export function createFlowRun(sessions: Sessions, beginning: FlowRunBeginning, options: FlowRunOptions = {}): FlowRun {
  let record: FlowRunRecord = recordOf(beginning);
  /** The submission with the secret values that the record omits. */
  let pending: PendingSubmission | undefined = record.pending;
  let state: FlowRunState = { phase: 'starting', findings: [], accepts: [] };
  let isBusy = false;
  const listeners = new Set<() => void>();

  function show(next: Partial<FlowRunState> & { readonly phase: FlowRunPhase }): FlowRunState {
    const { session, receipt } = state;
    state = {
      ...(session === undefined ? {} : { session }),
      ...(receipt === undefined ? {} : { receipt }),
      findings: [],
      accepts: [],
      ...next,
    };
    for (const listener of [...listeners]) listener();
    return state;
  }

  async function keep(next: FlowRunRecord): Promise<void> {
    record = next;
    await options.journal?.(next);
  }

  /** Applies the session in a gateway's answer. */
  async function arrived(session: Session): Promise<FlowRunState> {
    const { sessionId, stateVersion, status, paymentReceipt } = session;
    if (pending?.stateVersion !== stateVersion) pending = undefined;
    const receipt = paymentReceipt === undefined ? {} : { receipt: paymentReceipt };
    const { signed } = record;
    const isOpen = status === 'active';
    record = {
      sessionId,
      ...(pending === undefined ? {} : { pending: withoutSecrets(pending, session) }),
      ...(signed?.stateVersion === stateVersion ? { signed } : {}),
    };
    // The state changes first: the submission has happened even if the journal fails.
    const shown = show({ phase: isOpen ? 'step' : 'over', session, ...receipt });
    await options.journal?.(isOpen ? record : undefined);
    return shown;
  }

  async function start({ signal }: FlowRunCall): Promise<FlowRunState> {
    const { start: asked, sessionId } = record;
    if (sessionId !== undefined) return resume(sessionId, { signal });
    if (asked === undefined) throw new TypeError('This run has neither a start nor a session.');
    await keep(record);
    show({ phase: 'starting' });
    const { input, idempotencyKey } = asked;
    return outcome(sessions.start(input, { idempotencyKey, signal }), signal, (error) => {
      const verdict = verdictOn(error);
      return show({ phase: verdict === 'unknown' ? 'unanswered' : 'failed', error });
    });
  }

  /** Repeats the submission that was in progress; one with secrets waits until they are entered again. */
  async function resume(sessionId: string, call: FlowRunCall): Promise<FlowRunState> {
    const before = pending;
    const found = await look(sessionId, call);
    const isOpen = found.phase === 'step' && before !== undefined && pending === before;
    return isOpen && before.withheld.length === 0 ? send(call) : found;
  }

  async function look(sessionId: string, { signal }: FlowRunCall): Promise<FlowRunState> {
    return outcome(sessions.get(sessionId, { signal }), signal, (error) => {
      const isGone = error.status === 404;
      return show({ phase: isGone ? 'failed' : 'unanswered', error });
    });
  }

  async function submit(actionId: string, fieldValues: JsonMembers, call: FlowRunCall): Promise<FlowRunState> {
    const { stateVersion, currentStep } = present();
    const next = { stepId: currentStep.stepId, actionId, stateVersion, fieldValues };
    const before = pending !== undefined && isSame(pending, next) ? pending : undefined;
    pending = {
      ...next,
      idempotencyKey: before?.idempotencyKey ?? newIdempotencyKey(),
      withheld: [],
      ...(before?.payment === undefined ? {} : { payment: before.payment }),
    };
    return send(call);
  }

  async function send(call: FlowRunCall): Promise<FlowRunState> {
    const { sessionId, ...session } = present();
    if (pending === undefined) throw new TypeError('Nothing is in progress.');
    const { stepId, actionId, fieldValues, stateVersion, idempotencyKey, payment } = pending;
    await keep({ ...record, sessionId, pending: withoutSecrets(pending, { sessionId, ...session }) });
    show({ phase: 'submitting' });
    const { signal } = call;
    const submission = { actionId, fieldValues, stateVersion };
    const answer = sessions.submit(sessionId, stepId, submission, { idempotencyKey, payment, signal });
    return outcome(answer, signal, (error) => refused(error, sessionId, call));
  }

  async function refused(error: FlowgateError, sessionId: string, call: FlowRunCall): Promise<FlowRunState> {
    const receipt = receiptIn(error);
    const reported = { error, ...(receipt === undefined ? {} : { receipt }) };
    const verdict = verdictOn(error);
    if (verdict === 'unknown') return show({ phase: 'unanswered', ...reported });
    if (verdict === 'impossible') return show({ phase: 'failed', ...reported });
    if (verdict === 'payment') return show({ phase: 'payment', accepts: error.accepts ?? [], ...reported });
    if (verdict === 'moved on') {
      const found = await look(sessionId, call);
      return show({ ...found, ...reported });
    }
    return show({ phase: 'step', findings: error.errors ?? [], ...reported });
  }

  async function outcome(
    answer: Promise<Session>,
    signal: AbortSignal | undefined,
    refusal: (error: FlowgateError) => FlowRunState | Promise<FlowRunState>,
  ): Promise<FlowRunState> {
    const ended = await answer.then(
      (session) => ({ session }),
      (error: unknown) => ({ error }),
    );
    if ('session' in ended) return arrived(ended.session);
    if (ended.error instanceof FlowgateError) return refusal(ended.error);
    // The caller left, or a function of the caller failed: the request may still arrive at the gateway.
    show({ phase: 'unanswered' });
    signal?.throwIfAborted();
    throw ended.error;
  }

  function present(): Session {
    if (state.session === undefined) throw new TypeError('The run has not begun.');
    return state.session;
  }

  async function inTurn(phases: readonly FlowRunPhase[], work: () => Promise<FlowRunState>): Promise<FlowRunState> {
    if (isBusy) throw new TypeError('The run is busy: one call at a time.');
    if (!phases.includes(state.phase)) throw new TypeError(`This is not possible in the phase ${state.phase}.`);
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
    }
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin: (call = {}) => inTurn(state.session === undefined ? ['starting', 'failed'] : [], () => start(call)),
    submit: ({ actionId, fieldValues = {} }, call = {}) =>
      inTurn(['step', 'payment'], () => submit(actionId, fieldValues, call)),
    pay: (payment, call = {}) =>
      inTurn(['payment'], () => {
        if (pending !== undefined) pending = { ...pending, payment };
        return send(call);
      }),
    retry: (call = {}) =>
      inTurn(['unanswered'], () => {
        if (state.session === undefined) return start(call);
        return pending === undefined ? look(state.session.sessionId, call) : send(call);
      }),
    refresh: (call = {}) =>
      inTurn(['step', 'payment', 'unanswered', 'over', 'failed'], () => look(present().sessionId, call)),
    cancel: (call = {}) =>
      inTurn(['step', 'payment', 'unanswered', 'failed'], async () => {
        const { sessionId } = present();
        const refusal: unknown = await sessions.cancel(sessionId, call).catch((error: unknown) => error);
        if (refusal instanceof FlowgateError) return show({ ...state, error: refusal });
        if (refusal !== undefined) throw refusal;
        return look(sessionId, call);
      }),
    signed: () => (record.signed?.stateVersion === state.session?.stateVersion ? (record.signed?.values ?? {}) : {}),
    async keepSigned(values) {
      const { stateVersion } = present();
      await keep({ ...record, signed: { stateVersion, values } });
    },
  };
}

function recordOf(beginning: FlowRunBeginning): FlowRunRecord {
  if ('record' in beginning) return beginning.record;
  if ('sessionId' in beginning) return { sessionId: beginning.sessionId };
  return { start: { input: beginning.start, idempotencyKey: newIdempotencyKey() } };
}

/** A step may be refused after its payment was taken; the next submission is then free (contract/payments#receipt). */
function receiptIn({ failure }: FlowgateError): PaymentReceipt | undefined {
  return failure.kind === 'problem' ? failure.body.paymentReceipt : undefined;
}
