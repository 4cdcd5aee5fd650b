/** The header that says that a user's node, and not the operator's, gave an answer (contract/json-rpc#trace). */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { newProviderKey, nodeClient, nodesHere } from '../../apps/gateway/test/fixtures/node-client.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { type SimNode, startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';

const chain = createSimChain();
chain.mine(30);
let own: SimNode;
let ofAlice: SimNode;
let gateway: RunningGateway;
let apiKey: string;
let nodeId: string;

beforeAll(async () => {
  own = startSimNode(chain);
  ofAlice = startSimNode(chain);
  const network = { dlt: 'ethereum', networkId: 'dev', chainId: 31337, default: true };
  const nodes = [{ nodeId: 'own', url: own.httpUrl }];
  gateway = await startGateway({ config: { ...nodesHere, networks: [{ ...network, nodes }] } });
  apiKey = (await gateway.mint('carol')).apiKey;
  ({ nodeId } = await nodeClient(gateway, { sub: 'alice' }).register(`${ofAlice.httpUrl}/v2/${newProviderKey()}`));
  const admin = nodeClient(gateway, { sub: 'admin', roles: ['admin'] });
  expect((await admin.ask('PATCH', `/admin/nodes/${nodeId}`, { shared: true })).status).toBe(200);
  await until('a head was reported', async () => {
    const answer = await gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
    return (await answer.text()).includes(`0x${chain.head().number.toString(16)}`);
  });
});
afterAll(async () => {
  await gateway?.stop();
  for (const node of [own, ofAlice]) node?.stop();
});
beforeEach(() => own.heal());

const header = 'X-Flowgate-Node-Owner';
/** A call about a block that both nodes have; a new state each time, so that no answer is cached. */
const balance = (nth: number, id = nth) => ({
  ...{ jsonrpc: '2.0', id, method: 'eth_getBalance' },
  params: [chain.accounts[nth], `0x${(10 + nth).toString(16)}`],
});

test("an answer of a user's shared node has the header, without a request for a trace; an answer of the operator's does not", async () => {
  const first = await gateway.rpc(apiKey, balance(0));
  expect([await first.json(), first.headers.get(header)]).toEqual([expect.objectContaining({ id: 0 }), null]);
  const end = own.fail({ kind: 'status', status: 503 }, /eth_getBalance/);
  const second = await gateway.rpc(apiKey, balance(1));
  expect(await second.json()).toHaveProperty('result');
  expect([second.headers.get(header), second.headers.get('X-Flowgate-Served-By')]).toEqual(['user', null]);
  end();
});

test('a batch has the header when an element is from such a node', async () => {
  const end = own.fail({ kind: 'status', status: 503 }, /eth_getBalance/);
  const both = await gateway.rpc(apiKey, [balance(2), { jsonrpc: '2.0', id: 9, method: 'eth_chainId', params: [] }]);
  expect(await both.json()).toBeArrayOfSize(2);
  expect(both.headers.get(header)).toBe('user');
  end();
});

test('the path of such a node has it, too', async () => {
  const answer = await gateway.fetch(`/dlts/ethereum/nodes/${nodeId}/rpc/${apiKey}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(balance(3)),
  });
  expect([answer.status, answer.headers.get(header)]).toEqual([200, 'user']);
});
