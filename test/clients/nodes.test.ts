/** The client's nodes with the real gateway (contract/nodes). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import { type FakeNode, startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { newProviderKey, nodesHere } from '../../apps/gateway/test/fixtures/node-client.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createFlowgate } from '../../client/src/create-flowgate.ts';
import { refusalOf } from '../../client/test/refusal-of.ts';

let gateway: RunningGateway;
let node: FakeNode;

beforeAll(async () => {
  gateway = await startGateway({ config: nodesHere });
  node = startFakeNode();
});
afterAll(async () => {
  await gateway.stop();
  await node.stop();
});

const as = (token: string) => createFlowgate({ url: gateway.url, fetch: checkedFetch, token });
const here = { dlt: 'ethereum', networkId: 'dev' };

test('a node is registered, listed, changed, shared, cordoned and removed', async () => {
  const alice = as(gateway.token('alice'));
  const admin = as(gateway.token('root', { roles: ['admin'] }));
  const url = `${node.url}/v2/${newProviderKey()}`;
  const made = await alice.nodes.register({ ...here, url, label: 'one' });
  expect(made).toMatchObject({ ...here, label: 'one', shared: false, url: `${node.url}/v2/***` });
  const { nodeId } = made;
  expect((await alice.nodes.get(nodeId)).nodeId).toBe(nodeId);
  expect((await alice.nodes.change(nodeId, { label: 'two' })).label).toBe('two');
  expect(await refusalOf(alice.nodes.register({ ...here, url }))).toMatchObject({ status: 409 });
  expect(await refusalOf(as(gateway.token('bob')).nodes.get(nodeId))).toMatchObject({ status: 404 });
  expect(await admin.nodes.everybodys.change(nodeId, { shared: true, cordoned: true })).toMatchObject({
    ...{ nodeId, ownerId: 'alice', shared: true, cordoned: true },
  });
  const listed = await Array.fromAsync(as(gateway.token('bob')).nodes.list({ filter: here }));
  expect(listed.map((each) => each.nodeId)).toEqual([nodeId, 'dev-1']);
  expect((await admin.nodes.everybodys.page({ limit: 1 })).data.map((each) => each.nodeId)).toEqual([nodeId]);
  await alice.nodes.remove(nodeId);
  expect(await refusalOf(alice.nodes.get(nodeId))).toMatchObject({ status: 404 });
});

test('a node that breaks a rule is refused with that rule', async () => {
  const refusal = await refusalOf(as(gateway.token('alice')).nodes.register({ ...here, url: 'http://a.example/' }));
  expect([refusal.status, refusal.message]).toEqual([400, expect.stringContaining('url must have the scheme https')]);
});
