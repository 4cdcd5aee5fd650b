/**
 * Compares the gateway's responses with its OpenAPI document. fixtures/checked-fetch checks every response in every
 * contract test; this file calls all operations and tests the check itself.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Session, Subscription, SubscriptionInput } from '@flowgate/client/flow-wire';
import type { MintedApiKey } from '@flowgate/client/wire';
import type { OpenApiDocument } from '../../apps/gateway/src/edge/openapi/openapi-document.ts';
import { answerCheck, type Exchange } from '../../apps/gateway/test/fixtures/answer-problems.ts';
import {
  type FlowAppFixture,
  publishFlowApp,
  reachesLoopback,
  startFlowApp,
} from '../../apps/gateway/test/fixtures/flow-app.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';

let gateway: RunningGateway;
let app: FlowAppFixture;
let document: OpenApiDocument;

beforeAll(async () => {
  app = startFlowApp();
  gateway = await startGateway({
    config: { ...reachesLoopback, limits: { userPerMinute: 1000, sessionPerMinute: 6 } },
  });
  document = (await (await gateway.fetch('/openapi.json')).json()) as OpenApiDocument;
});
afterAll(() => Promise.all([gateway?.stop(), app?.stop()]));

/** The reached responses, by documented path. */
const found = new Set<string>();

/** Sends a request; the fixture compares the response with the document. `template` is the documented path. */
async function ask(method: string, template: string, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await gateway.fetch(path, { redirect: 'manual', ...init, method });
  found.add(`${method} ${template} ${response.status}`);
  return response;
}

const asUser = (sub = 'alice') => ({
  Authorization: `Bearer ${gateway.token(sub)}`,
  'Content-Type': 'application/json',
});
const fill = (template: string, values: Readonly<Record<string, string>> = {}) =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? examples[name] ?? 'none');
const examples: Readonly<Record<string, string>> = {
  apiKey: unknownKey(),
  dlt: 'ethereum',
  networkId: 'dev',
  nodeId: 'dev-1',
  appId: 'acme/absent',
  version: '1.0.0',
  sessionId: 'ses_01KAJ0Z6V2M8T4Q9R3WX5Y7ABE',
  subscriptionId: 'sub_01KAJ0Z6V2M8T4Q9R3WX5Y7ABD',
};

test('every operation answers as documented, for every credential, body and method', async () => {
  const { apiKey } = await gateway.mint('prober');
  const credentials: readonly Record<string, string>[] = [
    {},
    { 'X-API-Key': unknownKey() },
    { 'X-API-Key': apiKey },
    { Authorization: `Bearer ${gateway.token('prober')}` },
  ];
  const known = Object.entries(document.paths);
  expect(known.length).toBeGreaterThan(25);
  for (const [template, operations] of known) {
    for (const method of Object.keys(operations).map((each) => each.toUpperCase())) {
      for (const headers of credentials) {
        const body = method === 'POST' || method === 'PATCH' ? { body: '{}' } : {};
        const init = { headers: { ...headers, 'Content-Type': 'application/json' }, ...body };
        const path = fill(template, template.includes('{apiKey}') && headers['X-API-Key'] ? { apiKey } : {});
        await (await ask(method, template, path, init)).body?.cancel();
      }
    }
    await ask('PUT', template, fill(template), { headers: { 'X-API-Key': apiKey } });
    if (operations['post'] !== undefined) {
      const headers = { 'X-API-Key': apiKey, 'Content-Type': 'text/plain' };
      await ask('POST', template, fill(template), { headers, body: 'text' });
    }
  }
  expect(found.size).toBeGreaterThan(100);
});

test('successful requests answer as documented: keys, calls, an app from registration to the end of a session, subscriptions, pages for people', async () => {
  const post = (template: string, values: Readonly<Record<string, string>>, body: unknown, more = {}) =>
    ask('POST', template, fill(template, values), {
      headers: { ...asUser(), ...more },
      body: JSON.stringify(body),
    });
  const get = (template: string, values: Readonly<Record<string, string>> = {}, more = {}) =>
    ask('GET', template, fill(template, values), { headers: { ...asUser(), ...more } });

  const minted = (await (await post('/users/me/api-keys', {}, { label: 'one' })).json()) as MintedApiKey;
  const key = { 'X-API-Key': minted.apiKey, 'Content-Type': 'application/json' };
  const call = { jsonrpc: '2.0', method: 'eth_blockNumber' };
  for (const body of [{ ...call, id: 1 }, [{ ...call, id: 1 }], call, { ...call, id: 1, method: 'admin_peers' }, []])
    await ask('POST', '/rpc', '/rpc', { headers: key, body: JSON.stringify(body) });
  for (const method of ['tools/list', 'notifications/initialized']) {
    const headers = { ...key, Accept: 'application/json, text/event-stream' };
    const message = { jsonrpc: '2.0', method, ...(method.startsWith('tools') ? { id: 1 } : {}) };
    await ask('POST', '/mcp', '/mcp', { headers, body: JSON.stringify(message) });
  }
  await get('/users/me/api-keys');
  const keyPath = '/users/me/api-keys/{keyId}';
  await ask('DELETE', keyPath, fill(keyPath, { keyId: minted.keyId }), { headers: asUser() });

  const appId = 'acme/counter';
  await publishFlowApp(gateway, app, { owner: 'alice' });
  await post('/flow/registry/apps', {}, { appId: 'acme/second', name: 'Second' });
  const versions = '/flow/registry/apps/{appId}/versions';
  const input = { version: '1.0.0', baseUrl: app.url, steps: [{ stepId: 'count' }] };
  await post(versions, { appId: 'acme/second' }, input);
  await post(`${versions}/{version}/retire`, { appId: 'acme/second' }, {});
  for (const template of ['/flow/registry/apps/{appId}', versions, `${versions}/{version}`])
    await get(template, { appId });

  const start = async () => (await (await post('/flow/sessions', {}, { appId })).json()) as Session;
  const { sessionId, stateVersion } = await start();
  const step = '/flow/sessions/{sessionId}/steps/{stepId}';
  const submission = { actionId: 'finish', fieldValues: {}, stateVersion };
  for (let times = 0; times < 7; times++)
    await post(step, { sessionId, stepId: 'count' }, submission, { 'Idempotency-Key': 'same' });
  const other = await start();
  const events = '/flow/sessions/{sessionId}/events';
  await get(events, { sessionId: other.sessionId });
  await (await get(events, { sessionId: other.sessionId }, { Accept: 'text/event-stream' })).body?.cancel();
  const cancelled = '/flow/sessions/{sessionId}';
  await ask('DELETE', cancelled, fill(cancelled, { sessionId: other.sessionId }), { headers: asUser() });
  await get(events, { sessionId: other.sessionId }, { Accept: 'text/event-stream', 'Last-Event-ID': '2' });
  await get('/flow/queries/{appId}/{queryId}', { appId, queryId: 'total' });

  const subscriptions = '/flow/apps/{appId}/subscriptions';
  const target: SubscriptionInput = { eventType: 'session_completed', targetUrl: app.url };
  const { subscriptionId } = (await (await post(subscriptions, { appId }, target)).json()) as Subscription;
  await get(subscriptions, { appId });
  const one = `${subscriptions}/{subscriptionId}`;
  await ask('DELETE', one, fill(one, { appId, subscriptionId }), { headers: asUser() });

  await ask('GET', '/', '/', { headers: { Accept: 'text/html' } });
  const reached = ['POST /users/me/api-keys 201', `POST ${step} 200`, `POST ${step} 429`, `GET ${events} 204`];
  reached.push('POST /rpc 204', 'POST /rpc 403', 'POST /mcp 202', `POST ${versions} 201`, `POST ${subscriptions} 201`);
  expect(reached.filter((place) => !found.has(place))).toEqual([]);
});

test('the check detects an undocumented status, type, header, member and request', () => {
  const { answerProblems, eventProblems } = answerCheck(document);
  const headers = (more: Record<string, string> = {}) =>
    new Headers({ 'X-Request-Id': 'req', 'Content-Type': 'application/json', ...more });
  const asked: Exchange = {
    method: 'GET',
    path: '/users/me/id?x=1',
    status: 200,
    headers: headers(),
    body: '{"id":"u"}',
  };
  const place = 'GET /users/me/id 200';
  expect(answerProblems(asked)).toEqual([]);
  expect(answerProblems({ ...asked, body: '{"id":"u","secret":"s"}' })).toEqual([
    `${place}: /secret: No schema names this member.`,
  ]);
  expect(answerProblems({ ...asked, body: '{' })).toEqual([`${place}: The body is no JSON.`]);
  expect(
    answerProblems({ ...asked, headers: new Headers({ 'X-Powered-By': 'x', 'Content-Type': 'text/html' }) }),
  ).toEqual([
    `${place}: The document does not know the header x-powered-by.`,
    `${place}: The header x-request-id is missing.`,
    `${place}: The document does not know the type text/html.`,
  ]);
  expect(answerProblems({ ...asked, headers: headers({ 'X-RateLimit-Limit': '-1' }) })).toEqual([
    `${place}: The header x-ratelimit-limit is not as the document has it: -1`,
  ]);
  expect(answerProblems({ ...asked, status: 418 })).toEqual([
    'GET /users/me/id 418: The document does not know this status.',
  ]);
  const minted = { method: 'POST', path: '/flow/sessions', status: 201, headers: headers({ Location: '/' }) };
  expect(answerProblems({ ...minted, sent: '{"appId":"no pair"}' })).toEqual([
    'POST /flow/sessions 201: in what was sent: /appId: String does not match pattern.',
  ]);
  expect(eventProblems({}).length).toBeGreaterThan(3);
});

test('the check ignores undocumented paths, preflights, and requests that are refused for their form before routing', () => {
  const { answerProblems } = answerCheck(document);
  const asked: Exchange = { method: 'GET', path: '/users/me/id', status: 400, headers: new Headers(), body: '{' };
  expect(answerProblems({ ...asked, path: '/users/me/nothing' })).toEqual([]);
  expect(answerProblems({ ...asked, method: 'OPTIONS' })).toEqual([]);
  expect(answerProblems({ ...asked, headers: new Headers({ Connection: 'close' }) })).toEqual([]);
  expect(answerProblems(asked)).toEqual(['GET /users/me/id 400: The document does not know this status.']);
});

test('a path is identified by its fixed parts; the slash of an app id may be escaped', () => {
  const { answerProblems } = answerCheck(document);
  const placeOf = (method: string, path: string) =>
    answerProblems({ method, path, status: 999, headers: new Headers() })[0]?.split(':')[0];
  const version = '/flow/registry/apps/{appId}/versions/{version}';
  expect(placeOf('GET', '/flow/registry/apps/acme/pay/versions/1.0.0')).toBe(`GET ${version} 999`);
  expect(placeOf('GET', '/flow/registry/apps/acme%2Fpay/versions/1.0.0')).toBe(`GET ${version} 999`);
  expect(placeOf('GET', '/flow/registry/apps/acme%2fpay/versions')).toBe(
    'GET /flow/registry/apps/{appId}/versions 999',
  );
  expect(placeOf('GET', '/flow/registry/apps/acme/versions')).toBe('GET /flow/registry/apps/{appId} 999');
  expect(placeOf('HEAD', '/flow/registry/apps?limit=1')).toBe('HEAD /flow/registry/apps 999');
  expect(placeOf('POST', '/rpc/')).toBe('POST /rpc/{apiKey} 999');
});
