/** The usage that users see of their requests, over HTTP (contract/usage). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createFlowgate } from '@flowgate/client';
import type { UsageBy, UsageRow } from '@flowgate/client/usage-wire';
import { isJsonObject } from '@flowgate/json/json-object';
import { until } from '@flowgate/testing/until';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import { wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import {
  type FlowAppFixture,
  publishFlowApp,
  reachesLoopback,
  startFlowApp,
} from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';

let gateway: RunningGateway;
let app: FlowAppFixture;
beforeAll(async () => {
  app = startFlowApp();
  gateway = await startGateway({
    config: { ...reachesLoopback, limits: { userPerMinute: 40 }, usage: { writeSeconds: 0.1 } },
  });
  await publishFlowApp(gateway, app);
});
afterAll(async () => {
  await Promise.all([gateway.stop(), app.stop()]);
});

let administrators = 0;
/** A new administrator for each request, so that no rate limit applies. */
function admin() {
  administrators += 1;
  const token = gateway.token(`root ${administrators}`, { roles: ['admin'] });
  return createFlowgate({ url: gateway.url, token, fetch: checkedFetch, retry: false }).admin;
}
const bearer = (sub: string) => ({ Authorization: `Bearer ${gateway.token(sub)}` });
const call = (method: string, params: readonly unknown[] = [], id = 1) => ({ ...notification(method, params), id });
const notification = (method: string, params: readonly unknown[] = []) => ({ jsonrpc: '2.0', method, params });

/** The user's rows as soon as this many requests are reported. */
async function reported(userId: string, requests: number, by: UsageBy): Promise<readonly UsageRow[]> {
  const sum = (rows: readonly UsageRow[]) => rows.reduce((all, row) => all + row.requests, 0);
  await until(
    `${requests} requests of ${userId} are reported`,
    async () => sum(await admin().usage({ userId })) >= requests,
  );
  const rows = await admin().usage({ userId, by });
  expect([by, sum(rows)]).toEqual([by, requests]);
  return rows;
}

/** Requests by label, over all minutes. */
async function counts(userId: string, requests: number, by: UsageBy): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const row of await reported(userId, requests, by))
    found[row.by ?? ''] = (found[row.by ?? ''] ?? 0) + row.requests;
  return found;
}

describe('what is counted (contract/usage#what-is-counted)', () => {
  test('calls count by key, surface, network, method and outcome; calls without a credential count for no user', async () => {
    const [one, other] = [await gateway.mint('caller'), await gateway.mint('caller')];
    for (let nth = 0; nth < 3; nth++) await gateway.rpc(one.apiKey, call('eth_getBalance', [`0x${nth}`, 'latest']));
    await gateway.rpc(other.apiKey, call('made_up_by_caller'));
    await gateway.rpc(other.apiKey, call('admin_peers'));
    await gateway.rpc(other.apiKey, 'no JSON');
    await gateway.rpc(unknownKey(), call('eth_chainId'));
    await gateway.fetch('/networks', { headers: { 'X-API-Key': one.apiKey } });
    gateway.node.behave(() => new Response('no answer', { status: 500 }));
    await gateway.rpc(one.apiKey, call('eth_sendRawTransaction', ['0x']));
    expect((await gateway.rpc(one.apiKey, notification('eth_getCode'))).status).toBe(204);
    expect((await gateway.rpc(one.apiKey, [notification('eth_getCode')])).status).toBe(204);
    gateway.node.behave(wellBehaved);
    const total = 12;
    expect(await counts('caller', total, 'surface')).toEqual({ rpc: 9, rest: 3 });
    expect(await counts('caller', total, 'key')).toEqual({ [one.keyId]: 7, [other.keyId]: 3, token: 2 });
    expect(await counts('caller', total, 'network')).toEqual({ 'ethereum/dev': 9, none: 3 });
    expect(await counts('caller', total, 'method')).toEqual({
      ...{ eth_getBalance: 3, other: 3, eth_sendRawTransaction: 1, eth_getCode: 2 },
      ...{ 'POST /users/me/api-keys': 2, 'GET /networks': 1 },
    });
    expect(await counts('caller', total, 'outcome')).toEqual({ ok: 7, refused: 2, failed: 3 });
    const rows = await reported('caller', total, 'total');
    expect(rows.reduce((sum, { failed }) => sum + failed, 0)).toBe(5);
    for (const { p50Ms = -1, p95Ms = -1 } of rows) expect(p50Ms >= 0 && p95Ms >= p50Ms && p95Ms < 60_000).toBe(true);
  });

  test('each message of a batch counts as a call of its method with its own outcome, including notifications', async () => {
    const { apiKey } = await gateway.mint('batcher');
    const batch = [
      ...[call('eth_getCode'), call('eth_getCode', ['0x2']), notification('eth_getCode', ['0x3'])],
      ...[call('personal_sign'), { jsonrpc: '2.0', id: 1 }, call('eth_accounts'), call('eth_getProof')],
    ];
    expect((await gateway.rpc(apiKey, batch)).status).toBe(200);
    expect(await counts('batcher', 8, 'method')).toEqual({
      ...{ eth_getCode: 3, other: 2, eth_accounts: 1, eth_getProof: 1 },
      'POST /users/me/api-keys': 1,
    });
    expect(await counts('batcher', 8, 'outcome')).toEqual({ ok: 6, refused: 2 });
  });

  test('a cached answer counts as cached, also in a batch; a message over the limit counts as limited', async () => {
    const { apiKey } = await gateway.mint('repeater');
    const chain = call('eth_chainId');
    for (let nth = 0; nth < 3; nth++) expect((await gateway.rpc(apiKey, chain)).status).toBe(200);
    expect((await gateway.rpc(apiKey, [chain, call('eth_getBalance', ['0x1', 'latest'])])).status).toBe(200);
    expect((await gateway.rpc(apiKey, Array(40).fill(chain))).status).toBe(429);
    expect(await counts('repeater', 46, 'outcome')).toEqual({ ok: 3, cached: 3, limited: 40 });
    const rows = await reported('repeater', 46, 'outcome');
    expect(rows.find(({ by }) => by === 'limited')).not.toHaveProperty('p50Ms');
    expect(rows.find(({ by }) => by === 'cached')).toHaveProperty('p50Ms');
  });

  test('WebSocket messages count on their surface, and so does the handshake', async () => {
    const { apiKey } = await gateway.mint('socket');
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/rpc/${apiKey}`);
    const answered = Promise.withResolvers<void>();
    socket.onmessage = () => answered.resolve();
    socket.onopen = () => socket.send(JSON.stringify([call('eth_getStorageAt'), call('eth_getStorageAt', ['0x1'], 2)]));
    await answered.promise;
    socket.close();
    expect(await counts('socket', 4, 'surface')).toEqual({ rest: 1, websocket: 3 });
    const methods = await counts('socket', 4, 'method');
    expect(methods).toMatchObject({ connect: 1, eth_getStorageAt: 2 });
  });

  test('steps count for their app, tools by name together with their calls', async () => {
    const flow = flowClient(gateway, 'walker');
    await flow.finish(await flow.add(await flow.start()));
    const { apiKey } = await gateway.mint('walker');
    const agent = (name: string, input: object) =>
      gateway.fetch('/mcp', {
        method: 'POST',
        headers: {
          'X-API-Key': apiKey,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ ...call('tools/call'), params: { name, arguments: input } }),
      });
    await agent('rpc_call', { dlt: 'ethereum', networkId: 'dev', method: 'eth_gasPrice' });
    await agent('start_flow_session', { appId: 'acme/counter' });
    await agent('made_up_by_agent', {});
    expect(await counts('walker', 7, 'surface')).toEqual({ flow: 3, agents: 3, rest: 1 });
    expect(await counts('walker', 7, 'app')).toEqual({ 'acme/counter': 4, none: 3 });
    expect(await counts('walker', 7, 'network')).toEqual({ 'ethereum/dev': 1, none: 6 });
    expect(await counts('walker', 7, 'method')).toEqual({
      'POST /flow/sessions': 1,
      'POST /flow/sessions/{sessionId}/steps/{stepId}': 2,
      ...{ rpc_call: 1, start_flow_session: 1, other: 1 },
      'POST /users/me/api-keys': 1,
    });
  });
});

describe('queries (contract/usage#query)', () => {
  const ask = async (query: string, headers: Record<string, string> = bearer('asker')) => {
    const response = await gateway.fetch(`/users/me/usage${query}`, { headers });
    const body = await jsonBody(response);
    return [response.status, isJsonObject(body) ? (body['message'] ?? body['data']) : body];
  };

  test('users see only their own requests, over all keys and tokens, with either credential', async () => {
    const { apiKey, keyId } = await gateway.mint('asker');
    await gateway.rpc(apiKey, call('eth_syncing'));
    await reported('asker', 2, 'total');
    // Queried with the token first, because a query with the key counts for the key.
    expect((await ask('?bucket=day&by=key')).at(1)).toContainEqual(expect.objectContaining({ by: keyId, requests: 1 }));
    const client = createFlowgate({ url: gateway.url, apiKey, fetch: checkedFetch, retry: false });
    expect(await client.usage({ keyId, network: 'ethereum/dev', by: 'method' })).toEqual([
      {
        at: expect.any(String),
        by: 'eth_syncing',
        requests: 1,
        failed: 0,
        limited: 0,
        cached: 0,
        p50Ms: expect.any(Number),
        p95Ms: expect.any(Number),
      },
    ]);
    expect(await ask('?by=key&keyId=none')).toEqual([200, []]);
    expect(await ask('', bearer('no one yet'))).toEqual([200, []]);
  });

  test.each([
    ['?bucket=second', 'bucket must be one of minute, hour, day'],
    ['?by=user', 'by must be one of total, key, surface, network, method, app, outcome'],
    ['?from=yesterday', 'from must be an ISO 8601 timestamp with a zone, such as 2030-01-31T12:00:00Z'],
    ['?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'from must be before to'],
    ['?keyId=', 'keyId must have 1 to 1024 characters'],
    ['?by=key&by=key', 'by must be given once'],
    ['?from=2020-01-01T00:00:00Z', 'Minutes are stored for 48 hours: request a shorter time'],
  ])('%s is 400', async (query, message) => {
    expect(await ask(query)).toEqual([400, message]);
  });

  test('a time range that is too wide, or no longer stored in such buckets, is 400 and names the bucket that fits', async () => {
    const ago = (hours: number) => encodeURIComponent(new Date(Date.now() - hours * 3_600_000).toISOString());
    const narrower = (bucket: string) => `request bucket=${bucket}, or a shorter time`;
    expect(await ask(`?from=${ago(20)}`)).toEqual([400, `The answer would have over 1000 rows: ${narrower('hour')}`]);
    expect(await ask(`?from=${ago(60)}`)).toEqual([400, `Minutes are stored for 48 hours: ${narrower('hour')}`]);
    expect(await ask(`?from=${ago(24 * 100)}`)).toEqual([400, `Minutes are stored for 48 hours: ${narrower('day')}`]);
    expect(await ask(`?bucket=hour&from=${ago(24 * 50)}`)).toEqual([
      400,
      `The answer would have over 1000 rows: ${narrower('day')}`,
    ]);
    expect((await ask(`?bucket=hour&from=${ago(24 * 40)}`))[0]).toBe(200);
    expect((await ask(`?bucket=day&from=${ago(24 * 700)}`))[0]).toBe(200);
  });

  test('only administrators query other users', async () => {
    const { apiKey } = await gateway.mint('curious');
    const status = async (headers: Record<string, string>) =>
      (await gateway.fetch('/admin/usage?userId=caller', { headers })).status;
    expect([await status(bearer('curious')), await status({ 'X-API-Key': apiKey })]).toEqual([403, 403]);
    await reported('curious', 3, 'total');
    const users = (await admin().usage({ by: 'user', bucket: 'hour' })).map(({ by }) => by);
    expect(users).toContain('caller');
    expect(users).toContain('curious');
  });
});

test('the last counters are written when the gateway ends, and the next one reports them (contract/usage#how-exact)', async () => {
  const { apiKey } = await gateway.mint('last');
  await Promise.all(Array.from({ length: 5 }, (_, id) => gateway.rpc(apiKey, call('eth_getLogs', [], id))));
  gateway.process.kill('SIGTERM');
  await gateway.process.exited;
  await gateway.restart();
  expect(await counts('last', 6, 'method')).toMatchObject({ eth_getLogs: 5 });
});
