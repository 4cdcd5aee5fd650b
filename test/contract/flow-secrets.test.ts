/**
 * When an app stores a secret and shows it later, no step, event, error, query, webhook or log contains it, in any
 * spelling, in that session or another one (contract/flow-apps#secrets).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { RenderRequest, Session } from '@flowgate/client/flow-wire';
import { until } from '@flowgate/testing/until';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  type FlowAppFixture,
  publishFlowApp,
  reachesLoopback,
  startFlowApp,
} from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../apps/gateway/test/fixtures/webhook-receiver.ts';

let gateway: RunningGateway;
let app: FlowAppFixture;
let receiver: WebhookReceiver;
let keys = 0;

const secret = 'Corréct hörse battery';
const pin = '7391';

const spellings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'other case': (text) => text.toUpperCase(),
  base64: (text) => btoa(unescape(encodeURIComponent(`user:${text}!`))),
  'base64url, not padded': (text) => Buffer.from(`ab${text}`).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'percent-encoded': encodeURIComponent,
};

const fields = [{ fieldId: 'password', type: 'secret', label: 'Password' }];
const actions = [{ actionId: 'go', label: 'Go', validate: false }];
const step = { stepId: 'count', title: 'Log in', fields, actions };

/** The text that the app shows in each part of its response. */
const places: Readonly<Record<string, (text: string) => object>> = {
  'the step': (text) => ({ step: { ...step, title: `Welcome back, ${text}` } }),
  'a value': (text) => ({ step: { ...step, options: { list: [{ deep: text }] } } }),
  'a name': (text) => ({ step: { ...step, options: { [text]: 1 } } }),
  'an event': (text) => ({ step, events: [{ type: 'counted', data: { said: `(${text})` } }] }),
  'an error': (text) => ({ step, errors: [{ message: `Not ${text}` }] }),
  'a large answer': (text) => ({ step: { ...step, options: { filler: 'lorem ipsum '.repeat(2_000), text } } }),
};

beforeAll(async () => {
  app = startFlowApp(() => ({ step }));
  receiver = startWebhookReceiver();
  gateway = await startGateway({
    config: { ...reachesLoopback, limits: { userPerMinute: 100_000, sessionPerMinute: 100_000 } },
  });
  await publishFlowApp(gateway, app, {
    queries: [
      { queryId: 'stored', path: '/stored' },
      { queryId: 'all', path: '' },
    ],
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([app.stop(), receiver.stop()]);
});

const submit = (
  by: string,
  { sessionId, stateVersion }: Pick<Session, 'sessionId' | 'stateVersion'>,
  fieldValues: object,
) => {
  keys += 1;
  return flowClient(gateway, by).post(
    `/flow/sessions/${sessionId}/steps/count`,
    { actionId: 'go', fieldValues, stateVersion },
    { 'Idempotency-Key': `k${keys}` },
  );
};

/** A session that continued after the secret was submitted. */
async function afterSecret(by: string, answer: object = { step }, value: unknown = secret): Promise<Session> {
  app.script(() => ({ step }));
  const session = await flowClient(gateway, by).start();
  app.script(() => answer);
  const response = await submit(by, session, { password: value });
  expect(response.status).toBe(200);
  return (await response.json()) as Session;
}

const echoed = (pointer: string) => ({
  status: 502,
  retryable: false,
  detail: expect.stringMatching(`content-filter rule secret-echo rejected text at ${pointer}`),
});

test('one step later, the secret is refused in every spelling and every part of a response, and the session is unchanged', async () => {
  // A start without effect: the app stores the text in its state.
  const session = await afterSecret('alice', { step, state: { secret } });
  await flowClient(gateway, 'alice').post('/flow/apps/acme/counter/subscriptions', {
    eventType: 'counted',
    targetUrl: `${receiver.url}/hook`,
  });
  for (const [spelling, spell] of Object.entries(spellings))
    for (const [place, answerWith] of Object.entries(places)) {
      app.script(({ state }: RenderRequest) => answerWith(spell(String(state['secret']))));
      const response = await submit('alice', session, {});
      expect([spelling, place, await response.json()]).toEqual([spelling, place, expect.objectContaining(echoed('/'))]);
    }
  app.script(() => ({ step, events: [{ type: 'counted', data: { said: 'nothing' } }] }));
  expect((await submit('alice', session, {})).status).toBe(200);
  const hooks = await receiver.received(1);
  const alice = flowClient(gateway, 'alice');
  const seen = await Promise.all(
    ['', `/${session.sessionId}`, `/${session.sessionId}/events`].map(async (path) =>
      (await alice.get(`/flow/sessions${path}`)).text(),
    ),
  );
  await until('the refusal is in the log', () => gateway.output().includes(session.sessionId));
  for (const text of [...seen, gateway.output(), ...hooks.map(({ body }) => body)])
    for (const spell of Object.values(spellings)) expect(text).not.toContain(spell(secret));
});

test('all sessions of a user with an app, including their starts and those of agents, refuse the user’s secrets, and only these', async () => {
  await afterSecret('bob');
  app.script(() => places['the step']?.(secret.toUpperCase()));
  const bob = flowClient(gateway, 'bob');
  expect(await (await bob.post('/flow/sessions', { appId: 'acme/counter' })).json()).toMatchObject(
    echoed('/step/title'),
  );
  // For a user who never submitted the text, it is no secret, so the app may show it.
  expect((await flowClient(gateway, 'carol').post('/flow/sessions', { appId: 'acme/counter' })).status).toBe(201);
});

test('a secret that the app received in another session during its call is known when it responds', async () => {
  app.script(() => ({ step }));
  const frank = flowClient(gateway, 'frank');
  const [slow, quick] = [await frank.start(), await frank.start()];
  const submitted = Promise.withResolvers<void>();
  app.script(async ({ session, submission }: RenderRequest) => {
    if (session.sessionId === quick.sessionId || submission?.fieldValues['password'] !== undefined) return { step };
    await submitted.promise;
    return places['an event']?.(secret);
  });
  const before = app.requests.length;
  const waiting = [submit('frank', slow, {}), frank.post('/flow/sessions', { appId: 'acme/counter' })];
  await until('the app is called for both', () => app.requests.length === before + 2);
  expect((await submit('frank', quick, { password: secret })).status).toBe(200);
  submitted.resolve();
  for (const response of await Promise.all(waiting)) expect(await response.json()).toMatchObject(echoed('/events/0'));
});

test('secrets are refused in queries of app data, small and large', async () => {
  for (const filler of ['', 'lorem ipsum '.repeat(2_000)])
    for (const [spelling, spell] of Object.entries(spellings)) {
      const by = `keeper ${spelling} ${filler.length}`;
      await afterSecret(by, {
        step,
        appData: { set: { stored: { filler, text: `my ${spell(secret)}` }, other: 'fine' } },
      });
      for (const [query, pointer] of [
        ['stored', '/data/text'],
        ['all', '/data/stored/text'],
      ] as const) {
        const response = await flowClient(gateway, by).get(`/flow/queries/acme/counter/${query}`);
        const body = await jsonBody(response);
        expect([by, query, body]).toEqual([by, query, expect.objectContaining(echoed(pointer))]);
      }
    }
});

test('a failed submission also makes its secret known', async () => {
  app.script(() => ({ step }));
  const session = await flowClient(gateway, 'dave').start();
  for (const failure of [
    () => new Response('no', { status: 500 }),
    () => ({ step, errors: [{ message: 'wrong password' }] }),
  ]) {
    app.script(failure);
    expect((await submit('dave', session, { password: secret })).status).toBeGreaterThanOrEqual(400);
  }
  app.script(() => places['the step']?.(secret));
  expect(await (await submit('dave', session, {})).json()).toMatchObject(echoed('/step/title'));
});

test('a short secret is compared with whole texts, and with numbers as text; after a restart, gateways still know the secrets', async () => {
  const session = await afterSecret('erin', { step }, { pin: Number(pin), words: ['abandon', 'ability'] });
  const show = async (options: object) => {
    app.script(() => ({ step: { ...step, options } }));
    const response = await submit('erin', session, {});
    return response.status;
  };
  expect(await show({ pin: Number(pin) })).toBe(502);
  expect(await show({ words: 'ABILITY to pay' })).toBe(502);
  await gateway.restart();
  expect(await show({ pin })).toBe(502);
  expect(await show({ pin: Buffer.from(pin).toString('base64') })).toBe(502);
  expect(await show({ price: `${pin}.00` })).toBe(200);
});
