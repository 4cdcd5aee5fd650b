/** The handler's promises to the gateway: signatures, one effect for each key, bounded bodies, honest failures. */

import { expect, test } from 'bun:test';
import type { AnswerStore, FlowAppOptions, RenderStep } from '../src/flow-app/flow-app.ts';
import { createFlowAppHandler, createMemoryStore, FlowAppError, signMessage } from '../src/flow-app/flow-app.ts';
import type { RenderRequest, RenderResponse } from '../src/wire.ts';

const secret = `whsec_${btoa('thirty-two bytes of test secret!')}`;
const step = { stepId: 'first', title: 'First', fields: [], actions: [{ actionId: 'go', label: 'Go' }] };

function renderRequest(change: Partial<RenderRequest> = {}): RenderRequest {
  return {
    ...{ protocolVersion: '1', requestId: 'req-1', reason: 'start', stepId: 'first', state: {}, appData: {} },
    session: { sessionId: 'ses_1', appId: 'acme/test', version: '1.0.0', stateVersion: 0, userId: 'u1' },
    ...change,
  };
}

const submitted = (idempotencyKey: string, change: Partial<RenderRequest> = {}) =>
  JSON.stringify(
    renderRequest({
      reason: 'submit',
      submission: { stepId: 'first', actionId: 'go', fieldValues: {}, idempotencyKey },
      ...change,
    }),
  );

type How = { readonly secret?: string; readonly atMs?: number; readonly path?: string; readonly id?: string };

async function signedPost(body: string, how: How = {}): Promise<Request> {
  const signed = await signMessage({ secret, id: 'msg_1', atMs: Date.now(), body, ...how });
  return new Request(`http://127.0.0.1${how.path ?? '/renderStep'}`, { method: 'POST', headers: signed, body });
}

/** Acts by counting, and answers the count. */
function countingApp(options: Partial<FlowAppOptions> = {}, renderStep?: RenderStep) {
  let effects = 0;
  const failures: unknown[] = [];
  const counting: RenderStep = () => {
    effects += 1;
    return { step: { ...step, title: `effect ${effects}` } };
  };
  const onError = (error: unknown) => void failures.push(error);
  const app = createFlowAppHandler(
    { renderStep: renderStep ?? counting },
    { signingSecret: secret, onError, ...options },
  );
  const post = async (body: string, how?: How) => app(await signedPost(body, how));
  return { app, post, effects: () => effects, failures };
}

test('a request is 401 and renders nothing without a signature, with one of another secret or body, or with one six minutes old or ahead (contract/flow-apps#downstream)', async () => {
  const { app, post, effects } = countingApp();
  const body = JSON.stringify(renderRequest());
  const rightly = await signedPost(body);
  const wrong = [
    new Request(rightly.url, { method: 'POST', body }),
    await signedPost(body, { secret: `whsec_${btoa('another secret')}` }),
    new Request(rightly.url, { method: 'POST', body: `${body} `, headers: rightly.headers }),
    new Request(rightly.url, { method: 'POST', body: body.slice(0, -1), headers: rightly.headers }),
    await signedPost(body, { atMs: Date.now() - 6 * 60_000 }),
    await signedPost(body, { atMs: Date.now() + 6 * 60_000 }),
  ];
  for (const request of wrong) expect((await app(request)).status).toBe(401);
  expect(effects()).toBe(0);
  expect((await post(body)).status).toBe(200);
});

test('during a rotation both secrets are accepted; an invalid secret throws at the start', async () => {
  const next = `whsec_${btoa('the next secret')}`;
  const { post } = countingApp({ signingSecret: [secret, next] });
  for (const each of [secret, next])
    expect((await post(JSON.stringify(renderRequest()), { secret: each })).status).toBe(200);
  for (const bad of ['', 'whsec_', 'whsec_not base64', []])
    expect(() => countingApp({ signingSecret: bad })).toThrow(TypeError);
});

test('health is 200 without a signature, 503 when the app says so or fails; other paths, methods, protocols and apps are refused', async () => {
  const at = (path: string, init: RequestInit = {}, more: Partial<FlowAppOptions> = {}) =>
    countingApp({ basePath: '/an-app', ...more }).app(new Request(`http://127.0.0.1${path}`, init));
  expect((await at('/an-app/health')).status).toBe(200);
  expect((await at('/an-app/health', {}, { health: () => false })).status).toBe(503);
  expect((await at('/an-app/health', {}, { health: () => Promise.reject(new Error('no database')) })).status).toBe(503);
  expect((await at('/health')).status).toBe(404);
  expect((await at('/an-app/health', { method: 'POST' })).status).toBe(405);
  expect((await at('/an-app/renderStep')).status).toBe(405);
  const { post } = countingApp();
  for (const change of [
    { protocolVersion: '2' },
    { reason: 'submit' },
    { submission: {} },
    { session: {} },
    { state: [] },
  ]) {
    const answer = await post(JSON.stringify({ ...renderRequest(), ...change }));
    expect([change, answer.status]).toEqual([change, 400]);
  }
  for (const body of ['', 'null', '[]', '{', '"text"']) expect((await post(body)).status).toBe(400);
  const named = createFlowAppHandler({ appId: 'acme/other', renderStep: () => ({ step }) }, { signingSecret: secret });
  expect((await named(await signedPost(JSON.stringify(renderRequest())))).status).toBe(404);
});

test('a body is read only with signature headers, up to its bound and its time limit', async () => {
  const { app } = countingApp({ maxBodyBytes: 1_000, maxBodyMs: 50 });
  let pulled = 0;
  const endless = (stalls: boolean) =>
    new ReadableStream<Uint8Array>({
      pull(stream) {
        pulled += 1;
        if (stalls && pulled > 1) return new Promise<void>(() => {});
        stream.enqueue(new Uint8Array(100));
        return undefined;
      },
    });
  const post = (headers: Record<string, string>, stalls = false) => {
    pulled = 0;
    return app(new Request('http://127.0.0.1/renderStep', { method: 'POST', headers, body: endless(stalls) }));
  };
  expect((await post({})).status).toBe(401);
  // The creator of a stream asks it for the first chunk.
  expect(pulled).toBeLessThanOrEqual(1);
  const forged = { 'webhook-id': 'm', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' };
  expect((await post(forged)).status).toBe(413);
  expect(pulled).toBeLessThan(20);
  expect((await post(forged, true)).status).toBe(408);
  const broken = new ReadableStream<Uint8Array>({ pull: (stream) => stream.error(new Error('reset')) });
  const cut = new Request('http://127.0.0.1/renderStep', { method: 'POST', headers: forged, body: broken });
  expect((await app(cut)).status).toBe(400);
});

test('an error of the reducer is a 500 without its message, and a retry of its key runs again (contract/flow-apps)', async () => {
  let calls = 0;
  const { post, failures } = countingApp({}, () => {
    calls += 1;
    if (calls === 1) throw new Error('the node at 10.0.0.1 is unavailable');
    return { step };
  });
  const failed = await post(submitted('k'));
  expect([failed.status, await failed.text()]).toEqual([500, '{"error":"the app failed"}']);
  expect(failures).toEqual([new Error('the node at 10.0.0.1 is unavailable')]);
  expect((await post(submitted('k'))).status).toBe(200);
  const angry = countingApp(
    {
      onError: () => {
        throw new Error('no log');
      },
    },
    () => Promise.reject(new Error('no')),
  );
  expect((await angry.post(submitted('k'))).status).toBe(500);
});

test('an answer that violates the contract is a final 422, and only the author gets its problems', async () => {
  const bad: RenderResponse = { step: { ...step, title: '', fields: [{ fieldId: 'a b', type: 'text', label: 'x' }] } };
  const { post, failures } = countingApp({}, () => bad);
  const answer = await post(submitted('k'));
  expect([answer.status, await answer.text()]).toEqual([422, '{"error":"the app answers what the contract forbids"}']);
  const [error] = failures;
  if (!(error instanceof FlowAppError)) throw error;
  expect(error.problems).toEqual([
    '/step/title must have 1 to 500 characters, and has 0',
    '/step/fields/0/fieldId may hold letters, digits and . _ : / $ - only, and must not be __proto__',
  ]);
});

test('an answer with errors is not stored: a corrected submission with the same key is executed (contract/flow-apps)', async () => {
  const answers: RenderResponse[] = [{ step, errors: [{ message: 'no' }] }, { step: { ...step, title: 'yes' } }];
  const { post } = countingApp({}, () => answers.shift() ?? { step });
  const ask = async () => (await post(submitted('k'))).json();
  expect(await ask()).toMatchObject({ errors: [{ message: 'no' }] });
  expect(await ask()).toEqual({ step: { ...step, title: 'yes' } });
  expect(await ask()).toEqual({ step: { ...step, title: 'yes' } });
});

test('a hundred copies of one submission act once and get one answer; so do copies of one start', async () => {
  const { post, effects } = countingApp();
  const copies = (body: string) => Promise.all(Array.from({ length: 100 }, async () => (await post(body)).text()));
  const first = JSON.stringify({ step: { ...step, title: 'effect 1' } });
  expect([...new Set(await copies(submitted('k')))]).toEqual([first]);
  await post(submitted('another key'));
  expect(effects()).toBe(2);
  // A recorded message, sent again within the tolerance of its time.
  const start = JSON.stringify(renderRequest());
  expect(new Set(await copies(start)).size).toBe(1);
  expect(effects()).toBe(3);
  await post(start, { id: 'msg_2' });
  expect(effects()).toBe(4);
  // A start with a key is one start, with any message id.
  const keyed = JSON.stringify(renderRequest({ idempotencyKey: 'derived' }));
  for (const id of ['msg_3', 'msg_4']) await post(keyed, { id });
  expect(effects()).toBe(5);
});

test('two apps with one store have separate answers, and so have a start and a submission with the same key', async () => {
  const store = createMemoryStore();
  const { post, effects } = countingApp({ store });
  const session = { ...renderRequest().session, appId: 'acme/other' };
  await post(submitted('k'));
  await post(submitted('k', { session }));
  await post(JSON.stringify(renderRequest({ idempotencyKey: 'k' })));
  expect(effects()).toBe(3);
});

test('a store that fails after the effect causes no second effect: the answer is sent, buffered, and stored by the next delivery', async () => {
  const stored = new Map<string, string>();
  let isBroken = true;
  const store: AnswerStore = {
    find: (key) => stored.get(key),
    keep: (key, answer) => {
      if (isBroken) throw new Error('disk full');
      stored.set(key, answer);
      return answer;
    },
  };
  const { post, effects, failures } = countingApp({ store });
  const first = await (await post(submitted('k'))).text();
  expect([effects(), stored.size, failures]).toEqual([1, 0, [new Error('disk full')]]);
  expect(await (await post(submitted('k'))).text()).toBe(first);
  expect([effects(), stored.size]).toEqual([1, 0]);
  isBroken = false;
  expect(await (await post(submitted('k'))).text()).toBe(first);
  expect([effects(), [...stored.values()]]).toEqual([1, [first]]);
});

test('a store that cannot be read is 503, and nothing is executed', async () => {
  const store: AnswerStore = { find: () => Promise.reject(new Error('no database')), keep: (_key, answer) => answer };
  const { post, effects } = countingApp({ store });
  expect((await post(submitted('k'))).status).toBe(503);
  expect(effects()).toBe(0);
});

test('when two processes act for one key, both return the first answer', async () => {
  const store: AnswerStore = { find: () => undefined, keep: () => '{"from":"the first"}' };
  const { post } = countingApp({ store });
  expect(await (await post(submitted('k'))).json()).toEqual({ from: 'the first' });
});

test('the memory store is bounded in answers and in characters, and drops the oldest', async () => {
  const store = createMemoryStore({ maxAnswers: 3, maxCharacters: 100 });
  for (const key of ['a', 'b', 'c', 'd']) await store.keep(key, key.repeat(10));
  expect(['a', 'b', 'c', 'd'].map((key) => store.find(key) !== undefined)).toEqual([false, true, true, true]);
  expect(await store.keep('d', 'other')).toBe('d'.repeat(10));
  await store.keep('e', 'e'.repeat(95));
  expect(['b', 'c', 'd', 'e'].map((key) => store.find(key) !== undefined)).toEqual([false, false, false, true]);
});
