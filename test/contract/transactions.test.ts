/**
 * viem sends signed transactions to nodes that lose answers, refuse, or already have the transaction
 * (contract/transactions), and reads from nodes that lack data (contract/retries#errors).
 */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { createPublicClient, http, keccak256 } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import type { SimFault } from '../../apps/gateway/test/fixtures/sim-faults.ts';
import { type SimNode, startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';

const chain = createSimChain();
const nodes: SimNode[] = [];
const method = 'eth_sendRawTransaction';
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  chain.mine(5);
  nodes.push(startSimNode(chain), startSimNode(chain), startSimNode(chain));
  const listed = (networkId: string) => nodes.map(({ httpUrl: url }, at) => ({ nodeId: `${networkId}-${at}`, url }));
  const network = (networkId: string, more = {}) => ({
    ...{ dlt: 'test', networkId, chainId: chain.chainId, nodes: listed(networkId) },
    ...more,
  });
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      health: { intervalSeconds: 3_600 },
      networks: [network('one-by-one'), network('two-at-once', { broadcast: 2 })],
    },
  });
  key = (await gateway.mint()).apiKey;
});

afterAll(async () => {
  await gateway.stop();
  for (const node of nodes) node.stop();
});

afterEach(() => {
  for (const node of nodes) node.heal();
});

function client(path = '/dlts/test/networks/one-by-one/rpc') {
  const fetchOptions = { headers: { 'X-API-Key': key } };
  return createPublicClient({ transport: http(gateway.url + path, { fetchOptions, retryCount: 0 }) });
}

/** Each is of a new account. */
function signed(nonce = 0) {
  const account = privateKeyToAccount(generatePrivateKey());
  const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, gas: 21_000n };
  return account.signTransaction({ chainId: chain.chainId, nonce, to: account.address, ...fees });
}

const timesSent = (raw: string) =>
  nodes.map((node) => node.askedFor(method).filter(({ params }) => params[0] === raw).length);

/** Any node may be called first. */
function failAll(fault: SimFault, times = 1): void {
  for (const node of nodes) node.fail(fault, method, times);
}

describe('a signed transaction', () => {
  test('is sent to one node, whose answer is returned', async () => {
    const raw = await signed();
    expect(await client().sendRawTransaction({ serializedTransaction: raw })).toBe(keccak256(raw));
    expect(timesSent(raw).toSorted()).toEqual([0, 0, 1]);
  });

  test('is found when a node accepted it and its answer was lost', async () => {
    failAll({ kind: 'half' });
    const raw = await signed();
    expect(await client().sendRawTransaction({ serializedTransaction: raw })).toBe(keccak256(raw));
    expect(timesSent(raw).toSorted()).toEqual([0, 0, 1]);
  });

  test.each([
    { kind: 'dead' },
    { kind: 'status', status: 503 },
    { kind: 'status', status: 429 },
    { kind: 'rubbish' },
    { kind: 'error', code: -32603, message: 'Internal error' },
    { kind: 'error', code: -32005, message: 'limit exceeded' },
  ] satisfies SimFault[])('reaches the third node when two fail with %j', async (fault) => {
    for (const node of nodes.slice(0, 2)) node.fail(fault, method);
    const raw = await signed();
    expect(await client().sendRawTransaction({ serializedTransaction: raw })).toBe(keccak256(raw));
    expect(Math.max(...timesSent(raw))).toBe(1);
    expect(timesSent(raw)[2]).toBe(1);
  });

  test('has an unknown outcome when every node loses the answer, and is never sent to a node twice', async () => {
    failAll({ kind: 'dead' });
    const raw = await signed();
    const body = { jsonrpc: '2.0', id: 1, method, params: [raw] };
    const response = await gateway.rpc(key, body, '/dlts/test/networks/one-by-one/rpc');
    expect(response.status).toBe(502);
    expect(await response.text()).toContain('look for the transaction by its hash');
    expect(timesSent(raw)).toEqual([1, 1, 1]);
  });

  test('succeeds when it is sent again while pending or on chain', async () => {
    const raw = await signed();
    const send = () => client().sendRawTransaction({ serializedTransaction: raw });
    expect([await send(), await send()]).toEqual([keccak256(raw), keccak256(raw)]);
    chain.mine();
    expect(await send()).toBe(keccak256(raw));
    const node = '/dlts/test/nodes/one-by-one-1/rpc';
    expect(await client(node).sendRawTransaction({ serializedTransaction: raw })).toBe(keccak256(raw));
  });

  test("is refused with the node's message when another one replaced it by nonce", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const one = (value: bigint) =>
      account.signTransaction({
        chainId: chain.chainId,
        nonce: 0,
        to: account.address,
        gas: 21_000n,
        gasPrice: 1n,
        value,
      });
    await client().sendRawTransaction({ serializedTransaction: await one(1n) });
    chain.mine();
    const second = await one(2n);
    expect(client().sendRawTransaction({ serializedTransaction: second })).rejects.toThrow(/nonce/i);
    expect(timesSent(second).toSorted()).toEqual([0, 0, 1]);
  });

  test('is sent to as many nodes at once as the network configures', async () => {
    const raw = await signed();
    const path = '/dlts/test/networks/two-at-once/rpc';
    expect(await client(path).sendRawTransaction({ serializedTransaction: raw })).toBe(keccak256(raw));
    // The first success is the answer.
    await until(() => Math.min(...timesSent(raw).toSorted().slice(1)) === 1);
    expect(timesSent(raw).toSorted()).toEqual([0, 1, 1]);
  });
});

test('in a batch has its own answer, and the reads are sent together', async () => {
  const [one, two] = [await signed(), await signed()];
  failAll({ kind: 'half' });
  const before = nodes.map(({ asked }) => asked.length);
  const body = [
    { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
    { jsonrpc: '2.0', id: 2, method, params: [one] },
    { jsonrpc: '2.0', id: 3, method: 'eth_getBalance', params: [chain.accounts[0], '0x1'] },
    { jsonrpc: '2.0', id: 4, method, params: [two] },
  ];
  const response = await gateway.rpc(key, body, '/dlts/test/networks/one-by-one/rpc');
  expect(await response.json()).toMatchObject([
    { id: 1, result: '0x7a69' },
    { id: 2, result: keccak256(one) },
    { id: 3, result: expect.stringMatching(/^0x/) },
    { id: 4, result: keccak256(two) },
  ]);
  for (const raw of [one, two]) expect(Math.max(...timesSent(raw))).toBe(1);
  expect(nodes.some(({ asked }, at) => asked.length > (before[at] ?? 0))).toBe(true);
});

describe('a read', () => {
  test('goes to another node when the error is about the first node', async () => {
    const errors: SimFault[] = [
      { kind: 'error', code: -32000, message: 'header not found' },
      { kind: 'error', code: -32000, message: 'missing trie node 12 (path )' },
    ];
    for (const [at, fault] of errors.entries()) nodes[at]?.fail(fault, 'eth_getStorageAt', 1);
    for (let nth = 0; nth < 2; nth++)
      expect(
        await client().getStorageAt({ address: '0x0000000000000000000000000000000000000001', slot: '0x0' }),
      ).toMatch(/^0x/);
  });

  test('returns the last of these errors when every node has one', async () => {
    for (const node of nodes)
      node.fail({ kind: 'error', code: -32000, message: 'missing trie node 12' }, 'eth_getCode');
    const body = { jsonrpc: '2.0', id: 7, method: 'eth_getCode', params: [chain.accounts[0], 'latest'] };
    const response = await gateway.rpc(key, body, '/dlts/test/networks/one-by-one/rpc');
    expect([response.status, await response.json()]).toEqual([
      200,
      { jsonrpc: '2.0', id: 7, error: { code: -32000, message: 'missing trie node 12' } },
    ]);
    expect(nodes.map((node) => node.askedFor('eth_getCode').length)).toEqual([1, 1, 1]);
  });

  test('is sent once when it reverts', async () => {
    for (const node of nodes)
      node.fail(
        { kind: 'error', code: 3, message: 'execution reverted: internal error', data: '0x' },
        'eth_estimateGas',
      );
    const body = { jsonrpc: '2.0', id: 7, method: 'eth_estimateGas', params: [{ to: chain.accounts[0] }] };
    await gateway.rpc(key, body, '/dlts/test/networks/one-by-one/rpc');
    expect(nodes.reduce((sum, node) => sum + node.askedFor('eth_estimateGas').length, 0)).toBe(1);
  });
});
