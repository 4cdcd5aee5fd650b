/** What the gateway really answers, against its description: each status, content type and header is documented, and what is documented as always there is there (contract/conventions). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Session, Subscription, SubscriptionInput } from '@flowgate/client/flow-wire';
import type { MintedApiKey } from '@flowgate/client/wire';
import type { Response as DocumentedResponse, OpenApiDocument } from '../../src/http/openapi/openapi-document.ts';
import { type FlowAppFixture, publishFlowApp, reachesLoopback, startFlowApp } from '../fixtures/flow-app.ts';
import { type RunningGateway, startGateway } from '../fixtures/running-gateway.ts';
import { unknownKey } from '../fixtures/unknown-key.ts';

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

/** Of the connection, of CORS and of the body's form: nothing that callers program against. */
const ofTheConnection = /^(date|content-(type|length|encoding)|connection|keep-alive|transfer-encoding)$/;

const found = new Set<string>();
const problems: string[] = [];

/** Asks, and notes what the description does not say. `template` is the path as it is documented. */
async function ask(method: string, template: string, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await gateway.fetch(path, { redirect: 'manual', ...init, method });
  const place = `${method} ${template} ${response.status}`;
  found.add(place);
  // Another method than the documented ones is answered alike on all of them: described with each.
  const operations = document.paths[template] ?? {};
  const operation = operations[method.toLowerCase()] ?? Object.values(operations)[0];
  const documented = operation?.responses[String(response.status)];
  if (documented === undefined) problems.push(`${place}: not documented`);
  else problems.push(...differences(place, response, documented));
  return response;
}

function differences(place: string, { headers }: Response, documented: DocumentedResponse): readonly string[] {
  const names = new Set(Object.keys(documented.headers).map((name) => name.toLowerCase()));
  const unknown = [...headers.keys()].filter((name) => !ofTheConnection.test(name) && !names.has(name));
  const types = Object.keys(documented.content ?? {}).map((type) => type.split(';')[0]);
  const type = headers.get('content-type')?.split(';')[0];
  return [
    ...unknown.map((name) => `${place}: the header ${name} is not documented`),
    ...(headers.has('x-request-id') ? [] : [`${place}: no X-Request-Id`]),
    ...(type === undefined || types.includes(type) ? [] : [`${place}: the type ${type} is not documented`]),
  ];
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

test('every operation, without and with each kind of credential, with an empty body, a wrong one and a wrong method', async () => {
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
  expect(problems).toEqual([]);
  expect(found.size).toBeGreaterThan(100);
});

test('what succeeds: keys, calls, an app from its registration to the end of a session, subscriptions, pages for people', async () => {
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
  expect(problems).toEqual([]);
  const reached = ['POST /users/me/api-keys 201', `POST ${step} 200`, `POST ${step} 429`, `GET ${events} 204`];
  reached.push('POST /rpc 204', 'POST /rpc 403', 'POST /mcp 202', `POST ${versions} 201`, `POST ${subscriptions} 201`);
  expect(reached.filter((place) => !found.has(place))).toEqual([]);
});

test('the check itself notices what is not documented', () => {
  const documented: DocumentedResponse = { description: '', headers: { Allow: { $ref: '' } }, content: {} };
  const response = new Response('', { headers: { Allow: 'GET', 'X-Powered-By': 'x', 'Content-Type': 'text/html' } });
  expect(differences('here', response, documented)).toEqual([
    'here: the header x-powered-by is not documented',
    'here: no X-Request-Id',
    'here: the type text/html is not documented',
  ]);
});
