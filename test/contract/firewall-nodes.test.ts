/**
 * Policies about users' nodes over HTTP: the users whom an owner names see and call a node (contract/firewall#sharing,
 * contract/nodes#calling).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { answering, type FakeNode, startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import {
  type NodeClient,
  newProviderKey,
  nodeClient,
  nodesHere,
} from '../../apps/gateway/test/fixtures/node-client.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let owner: NodeClient;
let friend: NodeClient;
let stranger: NodeClient;
let admin: NodeClient;
let node: FakeNode;
let nodeId: string;
let path: string;
let rpc: string;

beforeAll(async () => {
  gateway = await startGateway({ config: { ...nodesHere } });
  const clientOf = (sub: string, roles?: readonly string[]) =>
    nodeClient(gateway, roles === undefined ? { sub } : { sub, roles });
  [owner, friend, stranger, admin] = [
    clientOf('owner'),
    clientOf('friend'),
    clientOf('stranger'),
    clientOf('root', ['admin']),
  ];
  node = startFakeNode();
  node.behave(answering('"shared"'));
  ({ nodeId } = await owner.register(`${node.url}/v2/${newProviderKey()}`));
  path = `/nodes/${nodeId}`;
  rpc = `/dlts/ethereum/nodes/${nodeId}/rpc`;
});
afterAll(async () => {
  await gateway.stop();
  await node.stop();
});

async function during(
  by: NodeClient,
  at: '/users/me/policies' | '/admin/policies',
  body: object,
  work: () => Promise<void>,
): Promise<void> {
  const made = await by.ask('POST', at, body);
  expect(made.status).toBe(201);
  const { policyId } = await jsonBody(made);
  try {
    await work();
  } finally {
    expect((await by.ask('DELETE', `${at}/${policyId}`)).status).toBe(204);
  }
}

const resource = (id = nodeId) => ({ kind: 'node', id });
const statusOf = async (response: Promise<Response>) => (await response).status;
const listedFor = async (client: NodeClient) => (await client.list()).map((each) => each['nodeId']);
const notFound = (response: Response, at: string) =>
  expectStandardError(response, { status: 404, error: 'Not found', path: at });
const forbidden = (response: Response, at: string) =>
  expectStandardError(response, { status: 403, error: 'Forbidden', path: at });

test('only the owner sees a node until the owner names another user, who then sees, lists and calls it; for others it is absent', async () => {
  await notFound(await friend.ask('GET', path), path);
  await notFound(await friend.call(nodeId), rpc);
  for (const id of [nodeId, '*'])
    await during(
      owner,
      '/users/me/policies',
      { effect: 'allow', subjects: ['user:friend'], resource: resource(id) },
      async () => {
        expect(await jsonBody(await friend.call(nodeId))).toMatchObject({ result: 'shared' });
        const seen = await jsonBody(await friend.ask('GET', path));
        expect([seen['nodeId'], 'url' in seen]).toEqual([nodeId, false]);
        expect(await listedFor(friend)).toContain(nodeId);
        // Sharing does not exclude the owner and admits no other user.
        expect(await statusOf(owner.call(nodeId))).toBe(200);
        expect(await listedFor(owner)).toContain(nodeId);
        await notFound(await stranger.ask('GET', path), path);
        await notFound(await stranger.call(nodeId), rpc);
        expect(await listedFor(stranger)).not.toContain(nodeId);
        // Shared users see the node but do not own it.
        await notFound(await friend.ask('PATCH', path, { label: 'mine' }), path);
        await notFound(await friend.ask('DELETE', path), path);
      },
    );
  await notFound(await friend.call(nodeId), rpc);
  expect(await listedFor(friend)).not.toContain(nodeId);
});

test('a hidden node is indistinguishable from an absent one, for every request', async () => {
  const { apiKey } = await gateway.mint('prober');
  const absent = '/dlts/ethereum/nodes/node_01KAJ0Z6V2M8T4Q9R3WX5Y7ABE/rpc';
  await during(
    owner,
    '/users/me/policies',
    { effect: 'allow', subjects: ['user:friend'], resource: resource() },
    async () => {
      for (const body of ['{', '[]', '{"jsonrpc":"2.0","id":1,"method":"admin_peers"}']) {
        const [here, there] = [await gateway.rpc(apiKey, body, rpc), await gateway.rpc(apiKey, body, absent)];
        const of = async (response: Response) => {
          const { path: at, timestamp, ...rest } = await jsonBody(response);
          expect([at, timestamp]).toBeDefined();
          return [response.status, rest];
        };
        expect(await of(here)).toEqual(await of(there));
      }
      const { considered, allowed } = await jsonBody(
        await stranger.ask('POST', '/users/me/policies/explain', { resource: resource() }),
      );
      expect([allowed, considered]).toEqual([false, 0]);
    },
  );
});

test('an allow of some methods lets its subject see the node and call these methods; one key of a user is a separate subject', async () => {
  const key = await gateway.mint('keyed');
  const otherKey = await gateway.mint('keyed');
  const call = (apiKey: string, method: string) =>
    gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method, params: [] }, rpc);
  const policy = { effect: 'allow', subjects: [`key:${key.keyId}`], resource: resource(), methods: ['eth_get*'] };
  await during(owner, '/users/me/policies', policy, async () => {
    expect(await statusOf(call(key.apiKey, 'eth_getBalance'))).toBe(200);
    await forbidden(await call(key.apiKey, 'eth_call'), rpc);
    await notFound(await call(otherKey.apiKey, 'eth_getBalance'), rpc);
    expect((await gateway.fetch(path, { headers: { 'X-API-Key': key.apiKey } })).status).toBe(200);
    await notFound(await gateway.fetch(path, { headers: { 'X-API-Key': otherKey.apiKey } }), path);
  });
});

test('a denied node is 403 for its owner and for users it is shared with, on JSON-RPC and REST, and is in no list', async () => {
  await during(
    owner,
    '/users/me/policies',
    { effect: 'allow', subjects: ['user:friend'], resource: resource() },
    async () => {
      for (const denied of [resource(), { kind: 'network', id: 'ethereum/dev' }])
        await during(
          admin,
          '/admin/policies',
          { effect: 'deny', subjects: ['user:friend', 'user:owner'], resource: denied },
          async () => {
            for (const client of [owner, friend]) {
              await forbidden(await client.call(nodeId), rpc);
              await forbidden(await client.ask('GET', path), path);
              expect(await listedFor(client)).not.toContain(nodeId);
            }
            await notFound(await stranger.ask('GET', path), path);
          },
        );
    },
  );
  const operators = '/nodes/dev-1';
  await during(
    admin,
    '/admin/policies',
    { effect: 'deny', subjects: ['user:friend'], resource: resource('dev-1') },
    async () => {
      await forbidden(await friend.ask('GET', operators), operators);
      expect(await listedFor(friend)).not.toContain('dev-1');
      expect(await listedFor(stranger)).toContain('dev-1');
    },
  );
});

test("a shared node in its network's pool: its owner's deny excludes the named user, an allow excludes all others", async () => {
  const share = async (shared: boolean) =>
    expect(await statusOf(admin.ask('PATCH', `/admin/nodes/${nodeId}`, { shared }))).toBe(200);
  await share(true);
  // Only the users' node remains in the pool.
  await admin.ask('PATCH', '/admin/nodes/dev-1', { cordoned: true });
  try {
    expect(await jsonBody(await stranger.call())).toMatchObject({ result: 'shared' });
    const before = node.received.length;
    await during(
      owner,
      '/users/me/policies',
      { effect: 'deny', subjects: ['user:stranger'], resource: resource() },
      async () => {
        await forbidden(await stranger.call(nodeId), rpc);
        expect(await jsonBody(await friend.call())).toMatchObject({ result: 'shared' });
        const answer = await stranger.call();
        expect(answer.status).not.toBe(200);
        expect(await answer.text()).not.toContain('shared');
      },
    );
    await during(
      owner,
      '/users/me/policies',
      { effect: 'allow', subjects: ['user:friend'], resource: resource() },
      async () => {
        await forbidden(await stranger.call(nodeId), rpc);
        expect((await stranger.call()).status).not.toBe(200);
        expect(await jsonBody(await friend.call())).toMatchObject({ result: 'shared' });
        expect(await jsonBody(await owner.call())).toMatchObject({ result: 'shared' });
      },
    );
    expect(node.received.length - before).toBe(3);
  } finally {
    await admin.ask('PATCH', '/admin/nodes/dev-1', { cordoned: false });
    await share(false);
  }
});
