/**
 * Figures of a node's calls in the last five minutes in the lists of nodes, and who sees them (contract/node-figures).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { type FakeNode, startFakeNode, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import {
  type NodeClient,
  newProviderKey,
  nodeClient,
  nodesHere,
} from '../../apps/gateway/test/fixtures/node-client.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let quick: FakeNode;
let slow: FakeNode;
let failing: FakeNode;
let owned: FakeNode;
let alice: NodeClient;
let bob: NodeClient;
let admin: NodeClient;

beforeAll(async () => {
  [quick, slow, failing, owned] = [startFakeNode(), startFakeNode(), startFakeNode(), startFakeNode()];
  gateway = await startGateway({
    config: {
      ...nodesHere,
      networks: [
        {
          ...{ dlt: 'ethereum', networkId: 'dev', chainId: 31337, default: true },
          nodes: Object.entries({ quick, slow, failing }).map(([nodeId, { url }]) => ({ nodeId, url })),
        },
      ],
    },
  });
  alice = nodeClient(gateway, { sub: 'alice' });
  bob = nodeClient(gateway, { sub: 'bob' });
  admin = nodeClient(gateway, { sub: 'root', roles: ['admin'] });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([quick, slow, failing, owned].map((node) => node.stop()));
});

async function calls(client: NodeClient, nodeId: string, count: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < count; at++) statuses.push((await client.call(nodeId)).status);
  return statuses;
}

async function administered(nodeId: string) {
  const found = (await admin.list('/admin/nodes')).find((each) => each['nodeId'] === nodeId);
  if (found === undefined) throw new Error(`${nodeId} is not listed`);
  return found;
}

test('administrators see the figures of a slow and of a failing node; without calls there is no rate', async () => {
  await until('the first check is over', async () => (await administered('quick'))['lagBlocks'] !== undefined);
  expect(await administered('quick')).toMatchObject({
    ...{ circuit: { state: 'closed' }, blockHeight: 16, lagBlocks: 0 },
    last5Minutes: { calls: 0, failed: 0 },
  });
  expect(Object.keys(Object((await administered('quick'))['last5Minutes']))).toEqual(['calls', 'failed']);
  // The slow node answers after the fast one has answered twenty calls in sequence.
  const isQuickDone = Promise.withResolvers<void>();
  slow.behave(async (body) => {
    await isQuickDone.promise;
    return wellBehaved(body);
  });
  const arrived = slow.nextArrival();
  const atSlow = calls(alice, 'slow', 1);
  await arrived;
  await calls(alice, 'quick', 20);
  isQuickDone.resolve();
  expect(await atSlow).toEqual([200]);
  const [quicks, slows] = [(await administered('quick'))['last5Minutes'], (await administered('slow'))['last5Minutes']];
  expect([quicks, slows]).toMatchObject([
    { calls: 20, failed: 0, errorRate: 0 },
    { calls: 1, failed: 0, errorRate: 0 },
  ]);
  expect(Object(slows).p50Ms).toBeGreaterThan(Object(quicks).p50Ms);
  expect(Object(quicks).p95Ms).toBeGreaterThanOrEqual(Object(quicks).p50Ms);

  failing.behave((body) => (failing.received.length === 1 ? wellBehaved(body) : new Response('', { status: 500 })));
  expect(await calls(alice, 'failing', 4)).toEqual([200, 502, 502, 502]);
  expect(await administered('failing')).toMatchObject({
    circuit: { state: 'closed' },
    last5Minutes: { calls: 4, failed: 3, errorRate: 0.75 },
  });
});

test('the circuit opens when calls fail, and closes after successful probes (contract/routing#circuit-breaker)', async () => {
  failing.behave(() => new Response('', { status: 500 }));
  await calls(alice, 'failing', 10);
  const open = await administered('failing');
  expect(['open', 'half-open']).toContain(Object(open['circuit']).state);
  failing.behave(wellBehaved);
  await until('the circuit is closed', async () => {
    await alice.call('failing');
    return Object((await administered('failing'))['circuit']).state === 'closed';
  });
  const { last5Minutes } = await administered('failing');
  expect(Object(last5Minutes).failed).toBe(13);
});

test('a node that requests a pause cools down for that time', async () => {
  slow.behave(() => new Response('', { status: 429, headers: { 'Retry-After': '200' } }));
  await alice.call('slow');
  const { circuit } = await administered('slow');
  expect(circuit).toMatchObject({ state: 'cooling-down' });
  expect(Object(circuit).retryAfterSeconds).toBeGreaterThan(100);
  expect(Object(circuit).retryAfterSeconds).toBeLessThanOrEqual(200);
});

test("an owner sees the figures of own nodes; figures of the operator's and other users' nodes are hidden (contract/node-figures#who-sees-them)", async () => {
  const made = await alice.register(`${owned.url}/v2/${newProviderKey()}`);
  await calls(alice, made.nodeId, 2);
  expect((await admin.ask('PATCH', `/admin/nodes/${made.nodeId}`, { shared: true })).status).toBe(200);
  await calls(bob, made.nodeId, 1);
  const mine = await jsonBody(await alice.ask('GET', `/nodes/${made.nodeId}`));
  expect(mine).toMatchObject({ circuit: { state: 'closed' }, last5Minutes: { calls: 3, failed: 0, errorRate: 0 } });
  expect(await alice.list()).toContainEqual(mine);
  expect(await administered(made.nodeId)).toMatchObject({ ownerId: 'alice', last5Minutes: { calls: 3 } });
  const secret = ['url', 'circuit', 'last5Minutes', 'lagBlocks', 'ownerId'];
  // An administrator's list of own nodes is the list of all nodes, too.
  for (const client of [bob, admin]) {
    const seen = [...(await client.list()), await jsonBody(await client.ask('GET', `/nodes/${made.nodeId}`))];
    expect(seen).toHaveLength(5);
    for (const node of seen) expect(Object.keys(node).filter((name) => secret.includes(name))).toEqual([]);
  }
  for (const node of await alice.list())
    if (node['nodeId'] !== made.nodeId) expect(Object.keys(node).filter((name) => secret.includes(name))).toEqual([]);
});
