/** A test driver in the gateway's role: signs render requests and stores the state and app data of the app's answers. */
import { createFlowAppHandler } from '@flowgate/client/flow-app';
import type { PaymentReceipt, RenderRequest, RenderResponse } from '@flowgate/client/flow-wire';
import { Webhook } from 'standardwebhooks';
import { reducerOf, type SampleApp } from '../src/apps/sample-app.ts';

export const testSecret = `whsec_${Buffer.from('thirty-two bytes of test secret!').toString('base64')}`;

export type AppHandler = (request: Request) => Promise<Response>;

/** A sample app with answers in memory. Errors of the app are thrown to the test. */
export function served(app: SampleApp): AppHandler {
  return createFlowAppHandler({ ...reducerOf(app), appId: undefined }, { signingSecret: testSecret });
}

export function renderRequest(change: Partial<RenderRequest> = {}): RenderRequest {
  return {
    ...{ protocolVersion: '1', requestId: 'req-1', reason: 'start', stepId: 'first', state: {}, appData: {} },
    session: { sessionId: 'ses_1', appId: 'flowgate/test', version: '1.0.0', stateVersion: 0, userId: 'u1' },
    ...change,
  };
}

export function submitRequest(
  stepId: string,
  actionId: string,
  fieldValues: Readonly<Record<string, unknown>> = {},
  change: Partial<RenderRequest> = {},
  idempotencyKey = 'key-1',
): RenderRequest {
  return renderRequest({
    ...{ reason: 'submit', stepId, submission: { stepId, actionId, fieldValues, idempotencyKey } },
    ...change,
  });
}

export function signedPost(body: string, { secret = testSecret, at = new Date(), path = '/renderStep' } = {}): Request {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
  return new Request(`http://127.0.0.1${path}`, { method: 'POST', headers, body });
}

export type Walk = {
  /** Throws unless the app answered 200. A refused submission changes nothing. */
  readonly submit: (
    actionId: string,
    fieldValues?: Readonly<Record<string, unknown>>,
    more?: { readonly idempotencyKey?: string; readonly paymentReceipt?: PaymentReceipt },
  ) => Promise<RenderResponse>;
  readonly appData: () => Readonly<Record<string, unknown>>;
  /** Changes the stored app data as another session of the user would. */
  readonly meanwhile: (change: Readonly<Record<string, unknown>>) => void;
};

/** One session with an app, started at `stepId`; `storedAppData` is the app data of earlier sessions. */
export async function walk(
  app: AppHandler,
  stepId: string,
  storedAppData: RenderRequest['appData'] = {},
): Promise<Walk & { readonly first: RenderResponse }> {
  let state: RenderRequest['state'] = {};
  let appData: Record<string, unknown> = { ...storedAppData };
  let current = stepId;
  let submissions = 0;
  const ask = async (request: RenderRequest): Promise<RenderResponse> => {
    const response = await app(signedPost(JSON.stringify(request)));
    if (response.status !== 200) throw new Error(`the app answered ${response.status}: ${await response.text()}`);
    const answer = (await response.json()) as RenderResponse;
    if (answer.errors !== undefined) return answer;
    state = answer.state ?? state;
    appData = { ...appData, ...answer.appData?.set };
    current = answer.step.stepId;
    return answer;
  };
  const first = await ask(renderRequest({ stepId, appData }));
  return {
    first,
    appData: () => appData,
    meanwhile: (change) => {
      appData = { ...appData, ...change };
    },
    submit: (actionId, fieldValues = {}, { idempotencyKey, paymentReceipt } = {}) => {
      submissions += 1;
      const request = submitRequest(current, actionId, fieldValues, { state, appData });
      const submission = {
        ...{ stepId: current, actionId, fieldValues, idempotencyKey: idempotencyKey ?? `key-${submissions}` },
        ...(paymentReceipt === undefined ? {} : { paymentReceipt }),
      };
      return ask({ ...request, submission });
    },
  };
}
