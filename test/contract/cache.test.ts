/** Cached answers and coalesced calls over HTTP: a real gateway with simulated nodes (contract/cache). */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { limitsOf } from '../../apps/gateway/test/fixtures/answers.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';

const chain = createSimChain({ finalDepth: 6 });
const node = startSimNode(chain);
let gateway: RunningGateway;
let alice: string;
let bob: string;

const network = { dlt: 'test', networkId: 'sim', chainId: 31337, default: true };
beforeAll(async () => {
  chain.mine(20);
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 2_000 },
      networks: [{ ...network, nodes: [{ nodeId: 'sim-1', url: node.httpUrl }] }],
    },
  });
  alice = (await gateway.mint('alice')).apiKey;
  bob = (await gateway.mint('bob')).apiKey;
  // The first cacheable read makes the gateway follow the head.
  await until('the head is known', async () => {
    await ask(alice, 'eth_getBalance', [address, '0x1']);
    return (await countOf('eth_getBalance', () => ask(alice, 'eth_getBalance', [address, '0x1']))) === 0;
  });
});
afterAll(async () => {
  await gateway.stop();
  node.stop();
});
beforeEach(() => node.heal());

const address = '0xAbCdEf0123456789aBcDeF0123456789abcdef01';
const callOf = (method: string, params: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const ask = async (key: string, method: string, params: unknown, id: unknown = 1) => {
  const response = await gateway.rpc(key, callOf(method, params, id));
  return { response, text: await response.text() };
};

/** How many calls of this method reach the node during `work`. */
async function countOf(method: string, work: () => Promise<unknown>): Promise<number> {
  const before = node.askedFor(method).length;
  await work();
  return node.askedFor(method).length - before;
}

test('a result that a final block determines is read once for all users and spellings, and returned under the id of each call', async () => {
  const first = await ask(alice, 'eth_getBalance', [address, '0x2'], 'a');
  const count = await countOf('eth_getBalance', async () => {
    const other = await ask(bob, 'eth_getBalance', [address.toLowerCase(), '0x2'], 2.5);
    expect(JSON.parse(other.text)).toEqual({ ...JSON.parse(first.text), id: 2.5 });
  });
  expect(count).toBe(0);
});

test('cached answers count against the rate limit', async () => {
  const [before, after] = [
    await ask(alice, 'eth_getBalance', [address, '0x1']),
    await ask(alice, 'eth_getBalance', [address, '0x1']),
  ].map(({ response }) => limitsOf(response).remaining);
  expect(Number(before) - Number(after)).toBe(1);
});

test('policies apply before the cache: a denied call gets no cached answer', async () => {
  await ask(bob, 'eth_getBalance', [address, '0x1']);
  const headers = {
    Authorization: `Bearer ${gateway.token('root', { roles: ['admin'] })}`,
    'Content-Type': 'application/json',
  };
  const policy = { effect: 'deny', subjects: ['user:bob'], resource: { kind: 'network', id: 'test/sim' } };
  const made = await gateway.fetch('/admin/policies', { method: 'POST', headers, body: JSON.stringify(policy) });
  expect(made.status).toBe(201);
  try {
    const { response } = await ask(bob, 'eth_getBalance', [address, '0x1']);
    expect(response.status).toBe(403);
    expect((await ask(alice, 'eth_getBalance', [address, '0x1'])).response.status).toBe(200);
  } finally {
    await gateway.fetch(made.headers.get('location') ?? '', { method: 'DELETE', headers });
  }
});

test('a call to a specific node is answered by that node', async () => {
  const path = '/dlts/test/nodes/sim-1/rpc';
  const count = await countOf('eth_getBalance', async () => {
    for (const _ of [1, 2]) await (await gateway.rpc(alice, callOf('eth_getBalance', [address, '0x1']), path)).text();
  });
  expect(count).toBe(2);
});

test('equal calls in flight are coalesced, and a caller that disconnects does not affect the others', async () => {
  node.fail({ kind: 'silent' }, 'eth_estimateGas', 1);
  const params = [{ to: address }, 'pending'];
  const leaving = new AbortController();
  const body = JSON.stringify(callOf('eth_estimateGas', params));
  const first = gateway.fetch(`/rpc/${alice}`, { method: 'POST', body, signal: leaving.signal }).catch(() => undefined);
  await until('the node is asked', () => node.askedFor('eth_estimateGas').length === 1);
  const others = [alice, bob, bob].map((key, id) => ask(key, 'eth_estimateGas', params, id));
  leaving.abort();
  await first;
  node.release();
  const texts = (await Promise.all(others)).map(({ text }) => JSON.parse(text));
  expect(texts.map(({ id }) => id)).toEqual([0, 1, 2]);
  expect(new Set(texts.map(({ result, error }) => JSON.stringify(result ?? error))).size).toBe(1);
  expect(node.askedFor('eth_estimateGas').length).toBeLessThanOrEqual(2);
});

test('a batch is answered in order; the node receives the remaining elements as one batch', async () => {
  await ask(alice, 'eth_getBalance', [address, '0x3']);
  const heights = ['0x4', '0x3', '0x5', '0x1', '0x4'];
  const batch = heights.map((height, id) => callOf('eth_getBlockByNumber', [height, false], id));
  batch[1] = callOf('eth_getBalance', [address, '0x3'], 1);
  batch[3] = callOf('admin_peers', [], 3);
  const asked = () => node.askedFor('eth_getBlockByNumber').filter(({ params }) => heights.includes(String(params[0])));
  const before = asked().length;
  const response = await gateway.rpc(bob, batch);
  const answers: { id: number; result?: { number?: string } }[] = JSON.parse(await response.text());
  expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
  expect([0, 2, 4].map((nth) => answers[nth]?.result?.number)).toEqual(['0x4', '0x5', '0x4']);
  expect(asked().length - before).toBe(2);
});

test('a reorganization removes cached results of orphaned blocks', async () => {
  const lost = chain.mine();
  const height = `0x${lost.number.toString(16)}`;
  const hashOf = async () => JSON.parse((await ask(alice, 'eth_getBlockByNumber', [height, true])).text).result?.hash;
  await until('the block is cached', async () => {
    await hashOf();
    return (await countOf('eth_getBlockByNumber', hashOf)) === 0;
  });
  expect(await hashOf()).toBe(lost.hash);
  const head = chain.reorganize(2, 3);
  expect(head.number).toBeGreaterThan(lost.number - 1);
  await until('the other block is returned', async () => (await hashOf()) !== lost.hash);
  for (let nth = 0; nth < 20; nth++) expect(await hashOf()).not.toBe(lost.hash);
});

test('errors of a node and null results are not cached', async () => {
  node.fail({ kind: 'error', code: -32603, message: 'internal error' }, 'eth_getBalance', 2);
  const unlike = [address, '0x6'];
  expect(JSON.parse((await ask(alice, 'eth_getBalance', unlike)).text)).not.toHaveProperty('result');
  node.heal();
  expect(JSON.parse((await ask(alice, 'eth_getBalance', unlike)).text)).toHaveProperty('result');
  const hash = `0x${'9'.repeat(64)}`;
  const count = await countOf('eth_getTransactionReceipt', async () => {
    for (const _ of [1, 2]) await ask(alice, 'eth_getTransactionReceipt', [hash]);
  });
  expect(count).toBe(2);
});
