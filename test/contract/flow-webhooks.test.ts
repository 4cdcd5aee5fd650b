/** Webhook subscriptions and deliveries over HTTP (contract/events#webhooks). */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { FlowEventPage, Session, Subscription } from '@flowgate/client/flow-wire';
import { until } from '@flowgate/testing/until';
import { Webhook } from 'standardwebhooks';
import { type FlowAppFixture, publishFlowApp } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { type FlowClient, flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';
import type { RunningGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { openSqliteConnection } from '../../apps/gateway/test/fixtures/sqlite-connection.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../apps/gateway/test/fixtures/webhook-receiver.ts';

let gateway: RunningGateway;
let app: FlowAppFixture;
let stop: FlowGateway['stop'];
let receiver: WebhookReceiver;
let users = 0;
let user: FlowClient;

beforeAll(async () => {
  ({ gateway, app, stop } = await startFlowGateway());
  await publishFlowApp(gateway, app, { appId: 'acme/hidden', visibility: 'private' });
});
beforeEach(() => {
  receiver = startWebhookReceiver();
  users += 1;
  user = flowClient(gateway, `user-${users}`);
});
afterEach(() => receiver.stop());
afterAll(() => stop());

const path = '/flow/apps/acme/counter/subscriptions';
const subscribe = async (eventType: string, more: object = {}, at = '/hook') => {
  const response = await user.post(path, { eventType, targetUrl: receiver.url + at, ...more });
  expect(response.status).toBe(201);
  return (await response.json()) as Subscription;
};
const list = async (client = user, query = '') => {
  const response = await client.get(path + query);
  expect(response.status).toBe(200);
  return (await response.json()) as { data: Subscription[]; nextCursor?: string };
};
const remove = (id: string, client = user, at = path) =>
  gateway.fetch(`${at}/${id}`, { method: 'DELETE', headers: { ...client.headers } });
const events = async ({ sessionId }: Session, type: string) => {
  const response = await user.get(`/flow/sessions/${sessionId}/events?limit=100`);
  return ((await response.json()) as FlowEventPage).data.filter((event) => event.type === type);
};

test('a subscription is created, listed without its secret, and deleted (contract/events#webhooks)', async () => {
  const response = await user.post(path, { eventType: 'session_completed', targetUrl: `${receiver.url}/hook?a=b` });
  expect(response.status).toBe(201);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const made = (await response.json()) as Subscription;
  expect(response.headers.get('location')).toBe(`${path}/${made.subscriptionId}`);
  const { secret, ...shown } = made;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(shown).toEqual({
    subscriptionId: expect.stringMatching(/^sub_[0-9A-Z]{26}$/),
    appId: 'acme/counter',
    eventType: 'session_completed',
    targetUrl: `${receiver.url}/hook?a=b`,
    status: 'active',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(await list()).toEqual({ data: [shown] });
  expect((await remove(made.subscriptionId)).status).toBe(204);
  expect((await remove(made.subscriptionId)).status).toBe(404);
  expect(await list()).toEqual({ data: [] });
});

test('a secret that the caller chose is never returned', async () => {
  const response = await user.post('/flow/apps/acme%2Fcounter/subscriptions', {
    eventType: 'counted',
    targetUrl: receiver.url,
    secret: 'sixteen letters!',
  });
  expect(response.status).toBe(201);
  expect(await response.text()).not.toContain('sixteen');
  expect(JSON.stringify(await list())).not.toContain('sixteen');
});

test('each violated rule of a subscription is a 400 that names the member (contract/conventions, contract/events#webhooks)', async () => {
  const good = { eventType: 'counted', targetUrl: receiver.url };
  for (const [body, words] of [
    [[], 'the body'],
    [{ ...good, eventType: undefined }, 'eventType is required'],
    [{ ...good, eventType: '*' }, 'eventType'],
    [{ ...good, eventType: 'undeclared' }, 'eventType'],
    [{ ...good, eventType: 7 }, 'eventType must be a string'],
    [{ ...good, targetUrl: undefined }, 'targetUrl is required'],
    [{ ...good, targetUrl: 'http://hooks.example/' }, 'targetUrl'],
    [{ ...good, targetUrl: 'https://10.0.0.1/' }, 'targetUrl'],
    [{ ...good, targetUrl: 'https://user@hooks.example/' }, 'targetUrl'],
    [{ ...good, secret: 'fifteen letters' }, 'secret must have 16'],
    [{ ...good, secret: 'x'.repeat(257) }, 'secret must have 16'],
    [{ ...good, secret: 'whsec_not base64 at all' }, 'secret must be base64'],
    [{ ...good, secret: 'whsec_' }, 'secret'],
    [{ ...good, secret: 7 }, 'secret must be a string'],
  ] as const) {
    const response = await user.post(path, body);
    expect([words, response.status]).toEqual([words, 400]);
    expect(((await response.json()) as { detail: string }).detail).toStartWith(words);
  }
  expect((await list()).data).toEqual([]);
});

test("an unknown app and another user's private one are 404, on each route (contract/conventions#ids)", async () => {
  const body = { eventType: 'counted', targetUrl: receiver.url };
  for (const appId of ['acme/none', 'acme/hidden', 'acme/%00']) {
    const at = `/flow/apps/${appId}/subscriptions`;
    expect((await user.post(at, body)).status).toBe(404);
    expect((await user.get(at)).status).toBe(404);
    expect((await remove('sub_00000000000000000000000000', user, at)).status).toBe(404);
  }
  const owner = flowClient(gateway, 'publisher');
  expect((await owner.post('/flow/apps/acme/hidden/subscriptions', body)).status).toBe(201);
});

test("another user's subscription can neither be read nor deleted, and an invalid id is 404", async () => {
  const { subscriptionId } = await subscribe('counted');
  const other = flowClient(gateway, 'another user');
  expect((await list(other)).data).toEqual([]);
  for (const id of [subscriptionId, 'x', '%00']) expect((await remove(id, other)).status).toBe(404);
  expect((await remove(subscriptionId, user, '/flow/apps/acme/hidden/subscriptions')).status).toBe(404);
  expect((await list()).data).toHaveLength(1);
});

test('the twenty-first subscription of a user to an app is 409, also among forty concurrent requests', async () => {
  const ask = () => user.post(path, { eventType: 'counted', targetUrl: receiver.url });
  const statuses = (await Promise.all(Array.from({ length: 40 }, ask))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([...Array(20).fill(201), ...Array(20).fill(409)]);
  const first = await list(user, '?limit=15');
  const second = await list(user, `?limit=15&cursor=${first.nextCursor}`);
  expect(new Set([...first.data, ...second.data].map(({ subscriptionId }) => subscriptionId)).size).toBe(20);
  expect(second.nextCursor).toBeUndefined();
});

test("events of a session reach its owner's endpoint at once, verified with the standardwebhooks library (contract/events#webhooks)", async () => {
  const { secret = '' } = await subscribe('counted');
  await subscribe('session_completed', { secret: 'words as they are: ü' });
  const session = await user.add(await user.start(), 5);
  const [counted] = await receiver.received(1);
  await user.finish(session);
  const [, completed] = await receiver.received(2);
  const [expected] = await events(session, 'counted');
  const { sequence: _sequence, ...body } = expected ?? { sequence: 0 };
  expect(new Webhook(secret).verify(counted?.body ?? '', counted?.headers ?? {})).toEqual(body);
  expect(counted?.headers['webhook-id']).toBe(expected?.id ?? '');
  const raw = new Webhook(new TextEncoder().encode('words as they are: ü'), { format: 'raw' });
  expect(raw.verify(completed?.body ?? '', completed?.headers ?? {})).toMatchObject({ type: 'session_completed' });
});

test('a failed delivery is retried within ten seconds (contract/events#webhooks)', async () => {
  await subscribe('session_created');
  receiver.answer(() => new Response(null, { status: receiver.all().length > 1 ? 204 : 500 }));
  await user.start();
  const [first, second] = await receiver.received(2);
  expect(second?.body).toBe(first?.body ?? '');
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'] ?? '');
});

test('a 410 disables the subscription, and the list has the reason', async () => {
  receiver.answer(() => new Response(null, { status: 410 }));
  await subscribe('session_created');
  await user.start();
  await receiver.received(1);
  await until('it is not active', async () => (await list()).data[0]?.status !== 'active');
  expect((await list()).data[0]).toMatchObject({
    status: 'disabled',
    disabledReason: 'The endpoint answered 410 Gone.',
  });
});

test('a subscriber receives only events of own sessions (contract/events#webhooks)', async () => {
  await subscribe('session_created');
  const stranger = flowClient(gateway, 'a stranger');
  await stranger.start();
  const session = await user.start();
  const [got] = await receiver.received(1);
  await stranger.start();
  await user.start();
  await receiver.received(2);
  expect(JSON.parse(got?.body ?? '').data.sessionId).toBe(session.sessionId);
  expect(receiver.all()).toHaveLength(2);
});

test('no event is lost when the gateway is killed during deliveries', async () => {
  await subscribe('counted', {}, '/slow');
  await subscribe('step_submitted', {}, '/quick');
  const { promise: never } = Promise.withResolvers<Response>();
  let isKilled = false;
  receiver.answer(({ path: at }) => (at === '/slow' && !isKilled ? never : new Response()));
  const slow = () => receiver.all().filter(({ path: at }) => at === '/slow');
  let session = await user.start();
  for (let round = 0; round < 3; round++) {
    isKilled = false;
    const before = slow().length;
    for (let step = 0; step < 5; step++) session = await user.add(session);
    while (slow().length === before) await receiver.received(receiver.all().length + 1);
    gateway.process.kill('SIGKILL');
    await gateway.process.exited;
    isKilled = true;
    // Ends the leases of deliveries in progress early.
    const file = openSqliteConnection(gateway.databaseFile);
    file.run('UPDATE outbox SET due_at = 0, claimed_until = 0 WHERE claimed_until IS NOT NULL');
    file.close();
    await gateway.restart();
  }
  const ids = async (type: string) => (await events(session, type)).map(({ id }) => id).sort();
  const arrived = (at: string) =>
    [...new Set(receiver.all().flatMap((each) => (each.path === at ? [each.headers['webhook-id'] ?? ''] : [])))].sort();
  const all = { '/slow': await ids('counted'), '/quick': await ids('step_submitted') };
  expect([all['/slow'].length, all['/quick'].length]).toEqual([15, 15]);
  for (const [at, expected] of Object.entries(all)) {
    while (arrived(at).length < expected.length) await receiver.received(receiver.all().length + 1);
    expect(arrived(at)).toEqual(expected);
  }
});

test('the log contains neither secrets nor addresses of endpoints (contract/conventions#secrets)', async () => {
  receiver.answer(() => new Response(null, { status: 500 }));
  const { secret = '' } = await subscribe('session_created', {}, '/a-secret-path');
  await user.start();
  await receiver.received(1);
  await until(() => gateway.output().includes('webhook.retry'));
  for (const hidden of [secret, 'a-secret-path', receiver.url.slice('http://'.length)])
    expect(gateway.output()).not.toContain(hidden);
});
