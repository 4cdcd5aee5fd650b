/** Plays the gateway in an author's tests: signs requests, stores state and app data, checks fields and answers, and delivers each request twice. */

import { newIdempotencyKey } from '../idempotency-key.ts';
import { isObject } from '../shape.ts';
import type { FlowEvent, JsonMembers, PaymentReceipt, RenderRequest, RenderResponse, StepSpec } from '../wire.ts';
import { checkAnswer, type Declared } from './check-answer.ts';
import { createFlowAppHandler, type FlowAppOptions, type FlowAppReducer } from './handler.ts';
import { newSigningSecret, signMessage } from './sign-message.ts';
import { FlowAppTestError, refuseEchoes, submissionProblems, textOf, withoutNull } from './test-checks.ts';

export type FlowAppTestOptions = Declared & {
  /** The secret that the app verifies; only for a handler or an address. */
  readonly signingSecret?: string | undefined;
  readonly basePath?: string | undefined;
  /** Default `acme/test`, or the app's own id. */
  readonly appId?: string | undefined;
  /** Default `1.0.0`. */
  readonly version?: string | undefined;
  /** `false`: nothing is delivered twice. */
  readonly redeliver?: boolean | undefined;
  /** Options of the handler, when an app is given. */
  readonly handler?: Omit<FlowAppOptions, 'signingSecret' | 'basePath'> | undefined;
  /** Milliseconds since the Unix epoch. Default: the platform's clock. */
  readonly now?: (() => number) | undefined;
};

export type StartInput = {
  /** Default: the app's first start step. */
  readonly stepId?: string;
  readonly launchContext?: JsonMembers;
  /** The user whose app data the session uses. Default: `ada`. */
  readonly user?: string;
};

export type SubmitInput = {
  /** Idempotency key of the submission. Default: a new one. */
  readonly idempotencyKey?: string;
  /** Pays for a step with a price. */
  readonly paid?: boolean;
};

/** `errors` is empty when the app accepted the submission. */
export type Outcome = { readonly step: StepSpec; readonly errors: readonly { fieldId?: string; message: string }[] };

export type FlowAppTestSession = {
  readonly step: StepSpec;
  readonly status: 'active' | 'completed' | 'failed';
  readonly stateVersion: number;
  readonly state: JsonMembers;
  /** The stored app data of the user. */
  readonly appData: JsonMembers;
  readonly events: readonly Pick<FlowEvent, 'type' | 'data'>[];
  /** Checks the values like the gateway, and calls the app if they are valid. Throws `FlowAppTestError` when the app violates the contract. */
  submit(actionId: string, fieldValues?: JsonMembers, input?: SubmitInput): Promise<Outcome>;
};

export type FlowAppTest = {
  start(input?: StartInput): Promise<FlowAppTestSession>;
  /** Sends any request, by default signed now: for tests of requests that no gateway sends. */
  send(
    body: unknown,
    how?: { readonly secret?: string; readonly atMs?: number; readonly id?: string },
  ): Promise<Response>;
};

/** `app`: the result of `createFlowApp`, a reducer, a handler in the form of `fetch`, or the address of a running app. */
export function createFlowAppTest(
  app: FlowAppReducer | ((request: Request) => Promise<Response>) | URL,
  options: FlowAppTestOptions = {},
): FlowAppTest {
  const secret = options.signingSecret ?? newSigningSecret();
  const reducer = typeof app === 'function' || app instanceof URL ? undefined : app;
  const { basePath = '', appId = reducer?.appId ?? 'acme/test', version = '1.0.0', now = Date.now } = options;
  const declared = {
    stepIds: options.stepIds ?? reducer?.stepIds,
    eventTypes: options.eventTypes ?? reducer?.eventTypes,
  };
  // This test throws the handler's refusals, so a report by the handler would be a duplicate.
  const failures: unknown[] = [];
  const handle = handlerOf();
  const dataOf = new Map<string, JsonMembers>();
  const base = app instanceof URL ? app.href.replace(/\/$/, '') : `http://app.test${basePath}`;

  function handlerOf(): (request: Request) => Promise<Response> {
    if (app instanceof URL) return (request) => fetch(request, { redirect: 'manual' });
    if (typeof app === 'function') return app;
    const onError = (error: unknown) => void failures.push(error);
    return createFlowAppHandler(app, { onError, now, ...options.handler, basePath, signingSecret: secret });
  }

  const send: FlowAppTest['send'] = async (content, how = {}) => {
    const body = typeof content === 'string' ? content : JSON.stringify(content);
    const { id = `msg_${newIdempotencyKey()}`, atMs = now() } = how;
    const signed = await signMessage({ secret: how.secret ?? secret, id, atMs, body });
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json', ...signed };
    return handle(new Request(`${base}/renderStep`, { method: 'POST', headers, body }));
  };

  /** Delivers a request twice: the second answer must equal the first byte for byte. */
  async function ask(request: RenderRequest): Promise<RenderResponse> {
    const text = await textOf(await send(request), failures);
    const answer: unknown = JSON.parse(text);
    const checked = checkAnswer(answer, declared);
    if (!checked.ok)
      throw new FlowAppTestError(`The app's answer violates the contract:\n  ${checked.problems.join('\n  ')}`);
    if (options.redeliver !== false && request.submission !== undefined && !checked.isRefusal) {
      const again = await textOf(await send(request), failures);
      if (again !== text)
        throw new FlowAppTestError(
          `The same submission was delivered twice, as a gateway may, and the app gave two different answers: it acts twice.\n  first: ${text.slice(0, 500)}\n  then:  ${again.slice(0, 500)}`,
        );
    }
    if (!isAnswer(answer)) throw new FlowAppTestError('The app did not answer with an object.');
    return answer;
  }

  return {
    send,
    async start({ stepId, launchContext, user = 'ada' } = {}) {
      const first = stepId ?? startStepOf(app) ?? declared.stepIds?.[0];
      if (first === undefined) throw new FlowAppTestError('The start step is missing: use start({ stepId }).');
      const session = { sessionId: `ses_${newIdempotencyKey()}`, appId, version, userId: `user-${user}` };
      let stateVersion = 0;
      let state: JsonMembers = {};
      const events: Pick<FlowEvent, 'type' | 'data'>[] = [];
      const requestOf = (at: string): Omit<RenderRequest, 'reason'> => ({
        protocolVersion: '1',
        requestId: `req_${newIdempotencyKey()}`,
        session: { ...session, stateVersion },
        stepId: at,
        ...(launchContext === undefined ? {} : { launchContext }),
        state,
        appData: dataOf.get(user) ?? {},
      });
      const commit = (answer: RenderResponse): void => {
        stateVersion += 1;
        state = answer.state ?? state;
        const stored = { ...dataOf.get(user), ...answer.appData?.set };
        for (const name of answer.appData?.delete ?? []) delete stored[name];
        dataOf.set(user, stored);
        const { appId, version } = session;
        for (const { type, data } of answer.events ?? [])
          events.push({ type, data: { ...data, sessionId: session.sessionId, appId, version, stateVersion } });
      };
      let current = await ask({ ...requestOf(first), reason: 'start' });
      if ((current.errors ?? []).length > 0)
        throw new FlowAppTestError(`The app refused to start: ${JSON.stringify(current.errors)}`);
      commit(current);
      const statusOf = () =>
        current.status === 'failed'
          ? 'failed'
          : current.step.terminal === true
            ? 'completed'
            : (current.status ?? 'active');

      return {
        get step() {
          return current.step;
        },
        get status() {
          return statusOf();
        },
        get stateVersion() {
          return stateVersion;
        },
        get state() {
          return state;
        },
        get appData() {
          return dataOf.get(user) ?? {};
        },
        events,
        async submit(actionId, fieldValues = {}, { idempotencyKey = newIdempotencyKey(), paid = false } = {}) {
          const { step } = current;
          if (statusOf() !== 'active')
            throw new FlowAppTestError(`The session is ${statusOf()}: nothing can be submitted.`);
          const errors = submissionProblems(step, actionId, fieldValues);
          if (errors.length > 0) return { step, errors };
          if (step.payment !== undefined && !paid)
            throw new FlowAppTestError('This step requires a payment: submit it with { paid: true }.');
          const submission = {
            ...{ stepId: step.stepId, actionId, idempotencyKey, fieldValues: withoutNull(fieldValues) },
            ...(step.payment === undefined ? {} : { paymentReceipt: testReceipt(step.payment) }),
          };
          const answer = await ask({ ...requestOf(step.stepId), reason: 'submit', submission });
          if (answer.errors !== undefined && answer.errors.length > 0) return { step, errors: answer.errors };
          refuseEchoes(step, fieldValues, answer);
          current = answer;
          commit(answer);
          return { step: answer.step, errors: [] };
        },
      };
    },
  };
}

function startStepOf(app: unknown): string | undefined {
  const startSteps: unknown = typeof app === 'object' && app !== null ? Reflect.get(app, 'startSteps') : undefined;
  const first: unknown = Array.isArray(startSteps) ? startSteps[0] : undefined;
  return typeof first === 'string' ? first : undefined;
}

/** The answer's form was checked before. */
function isAnswer(value: unknown): value is RenderResponse {
  return isObject(value);
}

/** A made-up receipt for the first of the accepted payments. */
function testReceipt(payment: JsonMembers): PaymentReceipt {
  const accepts: unknown = payment['accepts'];
  const offer: unknown = Array.isArray(accepts) ? accepts[0] : undefined;
  const text = (name: string) => {
    const value: unknown = isObject(offer) ? offer[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const [amount, asset, payTo] = [text('amount'), text('asset'), text('payTo')];
  return {
    success: true,
    transaction: `0x${'7e57'.repeat(16)}`,
    network: text('network'),
    payer: `0x${'00'.repeat(19)}01`,
    ...{ amount, asset, payTo },
  };
}
