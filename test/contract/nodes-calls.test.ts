/**
 * Calls to registered nodes: by owners, shared, cordoned, removed during a call, and nodes that return wrong data
 * (contract/nodes#calling, contract/nodes#sharing).
 */

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { expectRpcError, expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { answering, type FakeNode, idsOf, onChain, startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import {
  type NodeClient,
  newProviderKey,
  nodeClient,
  nodesHere,
} from '../../apps/gateway/test/fixtures/node-client.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let alice: NodeClient;
let bob: NodeClient;
let admin: NodeClient;
const started: FakeNode[] = [];

beforeAll(async () => {
  gateway = await startGateway({ config: { ...nodesHere, health: { intervalSeconds: 1 } } });
  alice = nodeClient(gateway, { sub: 'alice' });
  bob = nodeClient(gateway, { sub: 'bob' });
  admin = nodeClient(gateway, { sub: 'root', roles: ['admin'] });
});
afterEach(async () => {
  gateway.node.behave(answering('"operator"'));
  await admin.ask('PATCH', '/admin/nodes/dev-1', { cordoned: false });
  for (const node of await admin.list('/admin/nodes'))
    if (node['shared'] === true && node['source'] === 'user')
      await admin.ask('PATCH', `/admin/nodes/${node['nodeId']}`, { shared: false });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(started.map((node) => node.stop()));
});

/** A new node, registered by alice, that answers every call with `name`. */
async function aNode(
  name: string,
): Promise<{ readonly node: FakeNode; readonly nodeId: string; readonly key: string }> {
  const node = startFakeNode();
  started.push(node);
  node.behave(answering(JSON.stringify(name)));
  const key = newProviderKey();
  const { nodeId } = await alice.register(`${node.url}/v2/${key}`);
  return { node, nodeId, key };
}

const resultOf = async (response: Promise<Response>) => (await jsonBody(await response))['result'];
const administer = async (nodeId: string, patch: object) => {
  const response = await admin.ask('PATCH', `/admin/nodes/${nodeId}`, patch);
  expect([response.status, await jsonBody(response)]).toEqual([200, expect.objectContaining(patch)]);
};

test('an owner calls an own node, with the key in a header or in the path, also in a batch (contract/nodes#calling)', async () => {
  const { node, nodeId } = await aNode('mine');
  expect(await resultOf(alice.call(nodeId))).toBe('mine');
  const { apiKey } = await gateway.mint('alice');
  const path = `/dlts/ethereum/nodes/${nodeId}/rpc/${apiKey}`;
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_gasPrice', params: [] };
  expect(await jsonBody(await gateway.rpc('', call, path))).toMatchObject({ result: 'mine' });
  node.behave((body) => {
    const calls: { id: number }[] = JSON.parse(body);
    return Response.json(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: 'batch' })));
  });
  const answers = await gateway.rpc('', [call, { ...call, id: 2 }], path);
  expect(await answers.json()).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, result: 'batch' })));
  expect((await gateway.rpc(apiKey, call, `/dlts/other/nodes/${nodeId}/rpc`)).status).toBe(404);
});

test("the network's method policy applies to users' nodes (contract/json-rpc#blocked-methods)", async () => {
  const { node, nodeId } = await aNode('mine');
  await expectRpcError(await alice.call(nodeId, 'admin_peers'), {
    ...{ status: 403, code: -32601, message: 'Method not allowed.' },
    id: 1,
  });
  await expectRpcError(await alice.call(nodeId, 'debug_traceTransaction'), {
    ...{ status: 403, code: -32601, message: 'Method not allowed.' },
    id: 1,
  });
  expect(node.received).toEqual([]);
});

test('all users may call a shared node, which is in the pool of its network; when it is no longer shared, neither applies (contract/nodes#sharing)', async () => {
  const { nodeId } = await aNode('shared');
  expect((await bob.call(nodeId)).status).toBe(404);
  await administer(nodeId, { shared: true });
  expect(await resultOf(bob.call(nodeId))).toBe('shared');
  expect(await jsonBody(await bob.ask('GET', `/nodes/${nodeId}`))).toMatchObject({ nodeId, shared: true });
  expect(await resultOf(bob.call())).toBe('operator');
  const network = async () => jsonBody(await bob.ask('GET', '/dlts/ethereum/networks/dev'));
  await until('both are healthy', async () => (await network())['status'] === 'up');
  expect(await network()).toMatchObject({ nodes: { healthy: 2, total: 2 } });
  await administer('dev-1', { cordoned: true });
  expect(await resultOf(bob.call())).toBe('shared');
  await administer(nodeId, { shared: false });
  expect((await bob.call(nodeId)).status).toBe(404);
  await expectStandardError(await bob.call(), { status: 503, error: 'Service unavailable', path: '/rpc' });
  expect(await resultOf(alice.call(nodeId))).toBe('shared');
});

test('changing the address of a node ends its sharing until an administrator shares it again, also when both happen at once (contract/nodes#changing)', async () => {
  const { nodeId } = await aNode('old');
  await administer(nodeId, { shared: true });
  expect(await resultOf(bob.call(nodeId))).toBe('old');
  const next = startedNode();
  next.behave(answering('"new"'));
  const change = () => alice.ask('PATCH', `/nodes/${nodeId}`, { url: `${next.url}/v2/${newProviderKey()}` });
  expect(await jsonBody(await change())).toMatchObject({ nodeId, shared: false });
  expect((await bob.call(nodeId)).status).toBe(404);
  expect(await resultOf(alice.call(nodeId))).toBe('new');
  await administer(nodeId, { shared: true });
  expect(await resultOf(bob.call(nodeId))).toBe('new');
  expect(await auditedActions(nodeId)).toEqual(['created', 'shared', 'unshared', 'updated', 'shared'].map(nodeAction));
  await administer(nodeId, { shared: false });
  // An administrator shares the old address before the probe of the new address is answered.
  const asked = Promise.withResolvers<void>();
  const shared = Promise.withResolvers<void>();
  const answer = onChain(31_337);
  next.behaveWhenProbed(async (body, request) => {
    asked.resolve();
    await shared.promise;
    return answer(body, request);
  });
  const changing = change();
  await asked.promise;
  await administer(nodeId, { shared: true });
  shared.resolve();
  expect(await jsonBody(await changing)).toMatchObject({ nodeId, shared: false });
  expect((await bob.call(nodeId)).status).toBe(404);
  next.behaveWhenProbed(undefined);
});

const nodeAction = (action: string) => `node.${action}`;

async function auditedActions(nodeId: string): Promise<readonly string[]> {
  const { Database } = await import('bun:sqlite');
  using database = new Database(gateway.databaseFile, { readonly: true });
  const rows = database.query('SELECT action FROM audit_entries WHERE target = ? ORDER BY created_at').all(nodeId);
  return rows.map((row) => (row as { action: string }).action);
}

test('an administrator also shares a node through its own path, only with a token', async () => {
  const { nodeId } = await admin.register(`${startedNode().url}/v2/${newProviderKey()}`);
  const patch = await admin.ask('PATCH', `/nodes/${nodeId}`, { shared: true, label: 'for all' });
  expect(await jsonBody(patch)).toMatchObject({ shared: true, label: 'for all' });
  expect((await bob.call(nodeId)).status).toBe(200);
});

function startedNode(): FakeNode {
  const node = startFakeNode();
  started.push(node);
  return node;
}

test('a cordoned node receives no new calls, not even by its own path, until it is uncordoned (contract/nodes#cordoning)', async () => {
  const { nodeId } = await aNode('mine');
  await administer(nodeId, { cordoned: true });
  const path = `/dlts/ethereum/nodes/${nodeId}/rpc`;
  expect(
    await expectStandardError(await alice.call(nodeId), { status: 503, error: 'Service unavailable', path }),
  ).toContain('administrator');
  expect(await jsonBody(await alice.ask('GET', `/nodes/${nodeId}`))).toMatchObject({ cordoned: true });
  await administer(nodeId, { cordoned: false });
  expect(await resultOf(alice.call(nodeId))).toBe('mine');
  await administer('dev-1', { cordoned: true });
  expect((await bob.call('dev-1')).status).toBe(503);
  expect((await bob.call()).status).toBe(503);
});

test('a deleted node finishes the call in flight and receives no new one (contract/nodes#deleting)', async () => {
  const { node, nodeId } = await aNode('mine');
  const release = Promise.withResolvers<void>();
  node.behave(async (body, request) => {
    await release.promise;
    return answering('"late"')(body, request);
  });
  const arrived = node.nextArrival();
  const call = alice.call(nodeId);
  await arrived;
  expect((await alice.ask('DELETE', `/nodes/${nodeId}`)).status).toBe(204);
  expect((await alice.call(nodeId)).status).toBe(404);
  release.resolve();
  expect(await resultOf(call)).toBe('late');
  expect(node.received).toHaveLength(1);
});

test('a node that is no longer shared finishes another user’s call in flight and receives no new one', async () => {
  const { node, nodeId } = await aNode('shared');
  await administer(nodeId, { shared: true });
  const release = Promise.withResolvers<void>();
  node.behave(async (body, request) => {
    await release.promise;
    return answering('"late"')(body, request);
  });
  const arrived = node.nextArrival();
  const call = bob.call(nodeId);
  await arrived;
  await administer(nodeId, { shared: false });
  expect((await bob.call(nodeId)).status).toBe(404);
  release.resolve();
  expect(await resultOf(call)).toBe('late');
});

test('a call whose body arrives after its node was deleted is not sent', async () => {
  const { node, nodeId } = await aNode('mine');
  const { apiKey } = await gateway.mint('alice');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_gasPrice', params: [] });
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const slow = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from(body.slice(0, 10)));
      begun.resolve();
      await go.promise;
      controller.enqueue(Buffer.from(body.slice(10)));
      controller.close();
    },
  });
  const call = gateway.fetch(`/dlts/ethereum/nodes/${nodeId}/rpc`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: slow,
  });
  await begun.promise;
  await alice.ask('DELETE', `/nodes/${nodeId}`);
  go.resolve();
  expect([404, 502]).toContain((await call).status);
  expect(node.received).toEqual([]);
});

test("a node's errors are returned without its address and its key (contract/conventions#secrets)", async () => {
  const { node, nodeId, key } = await aNode('mine');
  node.behave(answering(JSON.stringify({ code: -32000, message: `${node.url}/v2/${key} is over quota` }), 'error'));
  const shown = await (await alice.call(nodeId)).text();
  expect(shown).toContain('is over quota');
  expect(shown).not.toContain(key);
  await administer(nodeId, { shared: true });
  await administer('dev-1', { cordoned: true });
  const inPool = await (await bob.call()).text();
  expect(inPool).toContain('is over quota');
  expect(inPool).not.toContain(key);
  expect(gateway.output()).not.toContain(key);
});

for (const [what, leave] of [
  ['is no longer shared', (nodeId: string) => administer(nodeId, { shared: false })],
  ['is cordoned', (nodeId: string) => administer(nodeId, { cordoned: true })],
  ['is deleted', async (nodeId: string) => expect((await alice.ask('DELETE', `/nodes/${nodeId}`)).status).toBe(204)],
] as const)
  test(`nor does its error to a call in flight contain them when it ${what} meanwhile, alone or in a batch`, async () => {
    const { node, nodeId, key } = await aNode('mine');
    const release = Promise.withResolvers<void>();
    node.behave(async (body) => {
      await release.promise;
      const message = `${node.url}/v2/${key} is over quota`;
      const answers = idsOf(body).map((id) => ({ jsonrpc: '2.0', id, error: { code: -32000, message } }));
      return Response.json(body.startsWith('[') ? answers : answers[0]);
    });
    await administer(nodeId, { shared: true });
    await administer('dev-1', { cordoned: true });
    const { apiKey } = await gateway.mint('bob');
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_gasPrice', params: [] };
    // Other methods than that of the single call, because equal calls would be coalesced.
    const batch = [
      { ...call, method: 'eth_blobBaseFee' },
      { ...call, id: 2, method: 'eth_syncing' },
    ];
    const calls = [gateway.rpc(apiKey, call), gateway.rpc(apiKey, batch)];
    await until('both have arrived', async () => node.received.length === 2);
    await leave(nodeId);
    release.resolve();
    for (const each of calls) {
      const text = await (await each).text();
      expect(text).toContain('is over quota');
      expect(text).not.toContain(key);
    }
  });

test('a redirect is not followed, neither to the node itself nor to another host (contract/nodes#calling)', async () => {
  const { node, nodeId } = await aNode('mine');
  const before = gateway.node.received.length;
  node.behave(() => Response.redirect(`${gateway.node.url}/`, 307));
  const path = `/dlts/ethereum/nodes/${nodeId}/rpc`;
  await expectStandardError(await alice.call(nodeId), { status: 502, error: 'Bad gateway', path });
  expect(gateway.node.received.length).toBe(before);
});

test('a node that later serves another chain is unhealthy and not called until it returns to its chain (contract/nodes#checks)', async () => {
  const { node, nodeId } = await aNode('mine');
  const status = async () => (await jsonBody(await alice.ask('GET', `/nodes/${nodeId}`)))['status'];
  await until('it is healthy', async () => (await status()) === 'healthy');
  node.behaveWhenProbed(onChain(5));
  await until('it is unhealthy', async () => (await status()) === 'unhealthy');
  const before = node.received.length;
  const path = `/dlts/ethereum/nodes/${nodeId}/rpc`;
  await expectStandardError(await alice.call(nodeId), { status: 502, error: 'Bad gateway', path });
  expect(node.received.length).toBe(before);
  node.behaveWhenProbed(undefined);
  await until('it is healthy again', async () => (await status()) === 'healthy');
  await until('it is called again', async () => (await alice.call(nodeId)).status === 200);
});

test('a node is unhealthy after three consecutive failures, and healthy after one success (contract/nodes#checks)', async () => {
  const { node, nodeId } = await aNode('mine');
  const status = async () => (await jsonBody(await alice.ask('GET', `/nodes/${nodeId}`)))['status'];
  await until('it is healthy', async () => (await status()) === 'healthy');
  const failed = node.probes();
  node.behaveWhenProbed(() => new Response('down', { status: 503 }));
  await until('it is unhealthy', async () => (await status()) === 'unhealthy');
  expect(node.probes() - failed).toBeGreaterThanOrEqual(3);
  node.behaveWhenProbed(undefined);
  await until('it is healthy again', async () => (await status()) === 'healthy');
});

test('each action is in the audit log, without an address (contract/audit#entries)', async () => {
  const { nodeId, key } = await aNode('mine');
  await alice.ask('PATCH', `/nodes/${nodeId}`, { label: 'x' });
  await administer(nodeId, { shared: true });
  await administer(nodeId, { shared: false });
  await administer(nodeId, { cordoned: true });
  await administer(nodeId, { cordoned: false });
  await alice.ask('DELETE', `/nodes/${nodeId}`);
  const { Database } = await import('bun:sqlite');
  using database = new Database(gateway.databaseFile, { readonly: true });
  const entries = database
    .query('SELECT action, actor, details FROM audit_entries WHERE target = ? ORDER BY created_at')
    .all(nodeId);
  expect(entries.map((entry) => (entry as { action: string }).action)).toEqual(
    ['created', 'updated', 'shared', 'unshared', 'cordoned', 'uncordoned', 'deleted'].map((action) => `node.${action}`),
  );
  expect(JSON.stringify(entries)).not.toContain(key);
});

test('the database holds no address and no key in clear text (contract/nodes#visibility-of-urls)', async () => {
  const { node, key } = await aNode('mine');
  const { Database } = await import('bun:sqlite');
  using database = new Database(gateway.databaseFile, { readonly: true });
  const text = JSON.stringify(database.query('SELECT * FROM nodes').all());
  expect(text).toContain('s1.');
  expect(text).not.toContain(key);
  expect(text).not.toContain(new URL(node.url).port);
});
