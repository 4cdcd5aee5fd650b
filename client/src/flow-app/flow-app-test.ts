/** Stands where the gateway does, in an author's tests: signs, keeps state and app data, checks fields and answers, and delivers everything twice. */

import { newIdempotencyKey } from '../idempotency-key.ts';
import { isObject } from '../shape.ts';
import type { FlowEvent, JsonMembers, PaymentReceipt, RenderRequest, RenderResponse, StepSpec } from '../wire.ts';
import { checkAnswer, type Declared } from './check-answer.ts';
import { createFlowAppHandler, type FlowAppOptions, type FlowAppReducer } from './handler.ts';
import { newSigningSecret, signMessage } from './sign-message.ts';
import { FlowAppTestError, refuseEchoes, submissionProblems, textOf, withoutNull } from './test-checks.ts';

export type FlowAppTestOptions = Declared & {
  /** Only for a handler or an address: what it verifies. */
  readonly signingSecret?: string | undefined;
  readonly basePath?: string | undefined;
  /** Default `acme/test`, or the app's own. */
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
  /** What the app keeps belongs to a user. Default: `ada`. */
  readonly user?: string;
};

export type SubmitInput = {
  /** Default: a new one. */
  readonly idempotencyKey?: string;
  /** Pays for a step that costs something. */
  readonly paid?: boolean;
};

/** `errors` is empty when the submission was taken. */
export type Outcome = { readonly step: StepSpec; readonly errors: readonly { fieldId?: string; message: string }[] };

export type FlowAppTestSession = {
  readonly step: StepSpec;
  readonly status: 'active' | 'completed' | 'failed';
  readonly stateVersion: number;
  readonly state: JsonMembers;
  /** What the app keeps about the user. */
  readonly appData: JsonMembers;
  readonly events: readonly Pick<FlowEvent, 'type' | 'data'>[];
  /** Checks the values as a gateway does, and asks the app unless something is wrong. Throws `FlowAppTestError` when the app breaks the contract. */
  submit(actionId: string, fieldValues?: JsonMembers, input?: SubmitInput): Promise<Outcome>;
};

export type FlowAppTest = {
  start(input?: StartInput): Promise<FlowAppTestSession>;
  /** Sends any request, signed now unless told otherwise: for tests of what is no gateway. */
  send(
    body: unknown,
    how?: { readonly secret?: string; readonly atMs?: number; readonly id?: string },
  ): Promise<Response>;
};

/** `app`: what `createFlowApp` made, a reducer, a handler in the form of `fetch`, or the address of an app that is running. */
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
  // What the handler refuses is thrown by this test: its own report would be a second one.
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

  /** Delivered twice: the second answer must be the first, byte for byte. */
  async function ask(request: RenderRequest): Promise<RenderResponse> {
    const text = await textOf(await send(request), failures);
    const answer: unknown = JSON.parse(text);
    const checked = checkAnswer(answer, declared);
    if (!checked.ok)
      throw new FlowAppTestError(`The app's answer breaks the contract:\n  ${checked.problems.join('\n  ')}`);
    if (options.redeliver !== false && request.submission !== undefined && !checked.isRefusal) {
      const again = await textOf(await send(request), failures);
      if (again !== text)
        throw new FlowAppTestError(
          `The same submission was delivered twice, as a gateway may, and the app answered it in two ways: it acts twice.\n  first: ${text.slice(0, 500)}\n  then:  ${again.slice(0, 500)}`,
        );
    }
    if (!isAnswer(answer)) throw new FlowAppTestError('The app answered no object.');
    return answer;
  }

  return {
    send,
    async start({ stepId, launchContext, user = 'ada' } = {}) {
      const first = stepId ?? startStepOf(app) ?? declared.stepIds?.[0];
      if (first === undefined)
        throw new FlowAppTestError('Which step does a session start at? Name one: start({ stepId }).');
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
        const kept = { ...dataOf.get(user), ...answer.appData?.set };
        for (const name of answer.appData?.delete ?? []) delete kept[name];
        dataOf.set(user, kept);
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
            throw new FlowAppTestError('This step costs something: submit it with { paid: true }.');
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

/** Its form was checked before. */
function isAnswer(value: unknown): value is RenderResponse {
  return isObject(value);
}

/** The receipt of a payment that was never made: of the first of the accepted payments. */
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
