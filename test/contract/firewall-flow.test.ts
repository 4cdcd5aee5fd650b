/**
 * Policies about Flow Apps over HTTP and for agents (contract/firewall-resources#flow-apps, contract/firewall#sharing).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Session } from '@flowgate/client/flow-wire';
import { expectProblem, expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';

let flow: FlowGateway;

beforeAll(async () => {
  flow = await startFlowGateway();
  const owner = flowClient(flow.gateway, 'owner');
  // A private app of another publisher.
  expect((await owner.post('/flow/registry/apps', { appId: 'owner/private', name: 'Private' })).status).toBe(201);
  const { url: baseUrl, secret: signingSecret } = flow.app;
  const manifest = {
    ...{ steps: [{ stepId: 'count' }, { stepId: 'done' }], queries: [{ queryId: 'total', path: '/total' }] },
    ...{ events: [{ type: 'counted' }], startSteps: ['count'] },
  };
  const version = await owner.post('/flow/registry/apps/owner/private/versions', {
    version: '1.0.0',
    baseUrl,
    signingSecret,
    ...manifest,
  });
  expect(version.status).toBe(201);
});
afterAll(() => flow.stop());

const as = (sub: string, roles?: readonly string[]) => ({
  Authorization: `Bearer ${flow.gateway.token(sub, roles === undefined ? {} : { roles })}`,
  'Content-Type': 'application/json',
});
const app = (id: string) => ({ kind: 'app', id });

/** Runs `work` while the policy of `sub` (or of the operator) is in force. */
async function during(sub: string | 'admin', body: object, work: () => Promise<void>): Promise<void> {
  const path = sub === 'admin' ? '/admin/policies' : '/users/me/policies';
  const headers = sub === 'admin' ? as('root', ['admin']) : as(sub);
  const made = await flow.gateway.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(made.status).toBe(201);
  const { policyId } = await jsonBody(made);
  try {
    await work();
  } finally {
    expect((await flow.gateway.fetch(`${path}/${policyId}`, { method: 'DELETE', headers })).status).toBe(204);
  }
}

const denied = (response: Response) =>
  expectProblem(response, { status: 403, type: 'unauthorized', title: 'Forbidden', retryable: false });
const absent = (response: Response) =>
  expectProblem(response, { status: 404, type: 'not-found', title: 'Not found', retryable: false });
const submit = (client: ReturnType<typeof flowClient>, { sessionId, stateVersion }: Session, key: string) =>
  client.postOnce(
    `/flow/sessions/${sessionId}/steps/count`,
    { actionId: 'add', fieldValues: { amount: 1 }, stateVersion },
    { 'Idempotency-Key': key },
  );
const idsIn = async (response: Response) =>
  ((await response.json()) as { data: { appId: string }[] }).data.map(({ appId }) => appId);

test('for a denied app, starts, steps, sessions, their events, queries and subscriptions are 403 unauthorized, and the app is not called', async () => {
  const client = flowClient(flow.gateway, 'ann');
  const begun = await client.start();
  expect((await submit(client, begun, 'first')).status).toBe(200);
  const started = await client.post('/flow/sessions', { appId: 'acme/counter' }, { 'Idempotency-Key': 'start-1' });
  expect(started.status).toBe(201);
  await during('admin', { effect: 'deny', subjects: ['user:ann'], resource: app('acme/counter') }, async () => {
    const before = flow.app.requests.length;
    const session = `/flow/sessions/${begun.sessionId}`;
    await denied(await client.postOnce('/flow/sessions', { appId: 'acme/counter' }));
    await denied(await client.postOnce('/flow/sessions', { appId: 'acme/counter' }, { 'Idempotency-Key': 'start-1' }));
    await denied(await submit(client, { ...begun, stateVersion: 2 }, 'second'));
    // Also a stored response.
    await denied(await submit(client, begun, 'first'));
    await denied(await client.get(session));
    await denied(await client.get(`${session}/events`));
    await denied(await client.get(`${session}/events`, { Accept: 'text/event-stream' }));
    await denied(await client.get('/flow/queries/acme/counter/total'));
    await denied(await client.postOnce('/flow/queries/acme/counter/total', {}));
    await denied(await client.get('/flow/apps/acme/counter/subscriptions'));
    await denied(
      await client.postOnce('/flow/apps/acme/counter/subscriptions', {
        eventType: 'counted',
        targetUrl: 'https://a.example/',
      }),
    );
    expect(await idsIn(await client.get('/flow/sessions'))).toEqual([]);
    expect(flow.app.requests.length).toBe(before);
    // Routes that do not use the app still work.
    expect((await client.get('/flow/registry/apps/acme/counter')).status).toBe(200);
    await absent(await client.get('/flow/sessions/ses_01KAJ0Z6V2M8T4Q9R3WX5Y7ABE'));
    expect((await flowClient(flow.gateway, 'bob').start()).appId).toBe('acme/counter');
    const end = await flow.gateway.fetch(session, { method: 'DELETE', headers: client.headers });
    expect(end.status).toBe(204);
  });
  expect((await client.get(`/flow/sessions/${begun.sessionId}`)).status).toBe(200);
});

test('users whom the owner names see and call a private app while the policy exists; for others it is absent (contract/firewall#sharing)', async () => {
  const [owner, friend, stranger] = ['owner', 'friend', 'stranger'].map((sub) => flowClient(flow.gateway, sub));
  if (owner === undefined || friend === undefined || stranger === undefined) throw new Error('no client');
  const path = '/flow/registry/apps/owner/private';
  await absent(await friend.get(path));
  await absent(await friend.postOnce('/flow/sessions', { appId: 'owner/private' }));
  const begun: Session[] = [];
  for (const id of ['owner/private', '*'])
    await during('owner', { effect: 'allow', subjects: ['user:friend'], resource: app(id) }, async () => {
      expect((await friend.get(path)).status).toBe(200);
      expect((await friend.get(`${path}/versions`)).status).toBe(200);
      expect((await friend.get(`${path}/versions/1.0.0`)).status).toBe(200);
      expect(await idsIn(await friend.get('/flow/registry/apps'))).toContain('owner/private');
      const session = await friend.start('owner/private');
      begun.push(session);
      expect((await submit(friend, session, `shared-${id}`)).status).toBe(200);
      await absent(await stranger.get(path));
      await absent(await stranger.postOnce('/flow/sessions', { appId: 'owner/private' }));
      expect(await idsIn(await stranger.get('/flow/registry/apps'))).not.toContain('owner/private');
      // Sharing does not exclude the owner.
      expect((await owner.start('owner/private')).status).toBe('active');
      // Shared users see the app but do not own it.
      await absent(await friend.postOnce(`${path}/versions`, {}));
    });
  await absent(await friend.get(path));
  expect(await idsIn(await friend.get('/flow/registry/apps'))).not.toContain('owner/private');
  const [first] = begun;
  if (first === undefined) throw new Error('no session');
  await denied(await submit(friend, { ...first, stateVersion: 2 }, 'after'));
  await denied(await friend.get(`/flow/sessions/${first.sessionId}`));
});

test("an owner's allow excludes all other users from a public app; an owner's deny excludes the named user", async () => {
  const ann = flowClient(flow.gateway, 'ann');
  const publisher = 'publisher';
  await during(publisher, { effect: 'allow', subjects: ['user:bob'], resource: app('acme/counter') }, async () => {
    await denied(await ann.postOnce('/flow/sessions', { appId: 'acme/counter' }));
    expect((await ann.get('/flow/registry/apps/acme/counter')).status).toBe(200);
    expect((await flowClient(flow.gateway, 'bob').start()).status).toBe('active');
    expect((await flowClient(flow.gateway, publisher).start()).status).toBe('active');
  });
  await during(publisher, { effect: 'deny', subjects: ['user:ann'], resource: app('*') }, async () => {
    await denied(await ann.postOnce('/flow/sessions', { appId: 'acme/counter' }));
    expect((await flowClient(flow.gateway, 'bob').start()).status).toBe('active');
  });
});

test('explain names a policy to its owner, and reveals nothing about an app that the caller cannot see (contract/firewall#explain)', async () => {
  const explain = async (sub: string) => {
    const body = JSON.stringify({ resource: app('owner/private') });
    return jsonBody(await flow.gateway.fetch('/users/me/policies/explain', { method: 'POST', headers: as(sub), body }));
  };
  await during('owner', { effect: 'allow', subjects: ['user:friend'], resource: app('owner/private') }, async () => {
    expect(await explain('owner')).toEqual({ allowed: true, considered: 1 });
    expect(await explain('friend')).toEqual({ allowed: true, considered: 0 });
    expect(await explain('stranger')).toEqual({ allowed: false, considered: 0 });
  });
});

test("agents' tools are refused like the routes: by JSON-RPC policies and by policies about apps (contract/firewall-resources#json-rpc)", async () => {
  const { apiKey } = await flow.gateway.mint('agent');
  const tool = async (name: string, args: object): Promise<string> => {
    const response = await flow.gateway.fetch('/mcp', {
      method: 'POST',
      headers: {
        'X-API-Key': apiKey,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    });
    return response.text();
  };
  const call = { dlt: 'ethereum', networkId: 'dev', method: 'eth_chainId', params: [] };
  expect(await tool('rpc_call', call)).not.toContain('"isError":true');
  await during(
    'admin',
    { effect: 'deny', subjects: ['user:agent'], resource: { kind: 'network', id: '*' } },
    async () => {
      const answer = await tool('rpc_call', call);
      expect(answer).toContain('"isError":true');
      expect(answer).toContain('Forbidden');
    },
  );
  await during('agent', { effect: 'deny', subjects: ['*'], resource: app('*') }, async () => {
    expect(await tool('start_flow_session', { appId: 'acme/counter' })).toContain('urn:svc:error:unauthorized');
  });
});

test('a policy about one surface does not affect another', async () => {
  const { apiKey } = await flow.gateway.mint('surfaces');
  await during('surfaces', { effect: 'deny', subjects: ['*'], resource: app('*') }, async () => {
    expect((await flow.gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).status).toBe(200);
  });
  await during('surfaces', { effect: 'deny', subjects: ['*'], resource: { kind: 'network', id: '*' } }, async () => {
    expect((await flowClient(flow.gateway, 'surfaces').start()).status).toBe('active');
    const response = await flow.gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
    await expectStandardError(response, { status: 403, error: 'Forbidden', path: '/rpc' });
  });
});
