/** Filters over HTTP with common client libraries: each filter stays with the node that has it (contract/filters). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { JsonRpcProvider } from 'ethers';
import { createPublicClient, http } from 'viem';
import { Web3 } from 'web3';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';

const chain = createSimChain();
chain.mine(5);
/** The nodes assign equal filter ids, so only the node distinguishes one filter from another. */
const nodes = [startSimNode(chain), startSimNode(chain)] as const;
const network = '/dlts/sim/networks/two/rpc';
const pathOf = (at: 0 | 1) => `/dlts/sim/nodes/sim-${at}/rpc`;
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  const simNodes = nodes.map(({ httpUrl: url }, at) => ({ nodeId: `sim-${at}`, url }));
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      health: { intervalSeconds: 3_600 },
      networks: [
        {
          dlt: 'sim',
          networkId: 'two',
          chainId: 31337,
          nodes: simNodes,
          default: true,
          routing: { strategy: 'ordered' },
        },
      ],
    },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  for (const node of nodes) node.stop();
});

async function ask(method: string, params: readonly unknown[], path = network, apiKey = key): Promise<unknown> {
  const answer = await gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method, params }, path);
  expect(answer.status).toBe(200);
  const { result, error } = JSON.parse(await answer.text());
  return error ?? result;
}

const unknown = { code: -32000, message: 'filter not found' };
const blocksOf = (from: number) =>
  Array.from({ length: chain.head().number - from + 1 }, (_, at) => chain.at().byNumber(from + at)?.hash);

test('a filter is polled at the node that created it, on every path, and each change is returned once (contract/filters#ids)', async () => {
  const ids = [await ask('eth_newBlockFilter', [], pathOf(0)), await ask('eth_newBlockFilter', [], pathOf(1))];
  expect(ids[0]).not.toBe(ids[1]);
  const from = chain.mine(3).number - 2;
  for (const id of ids) {
    expect(await ask('eth_getFilterChanges', [id])).toEqual(blocksOf(from));
    expect(await ask('eth_getFilterChanges', [id])).toEqual([]);
  }
  expect(nodes.map((node) => node.askedFor('eth_getFilterChanges').length)).toEqual([2, 2]);
  // The path of a node without this filter.
  expect(await ask('eth_getFilterChanges', [ids[0]], pathOf(1))).toEqual(unknown);
  expect(await ask('eth_uninstallFilter', [ids[0]])).toBe(true);
  expect(await ask('eth_getFilterChanges', [ids[0]])).toEqual(unknown);
});

test('a node’s own id and another user’s filter are refused like an unknown filter, also in batches (contract/filters#unknown)', async () => {
  const id = await ask('eth_newFilter', [{}]);
  const asked = nodes.map((node) => node.asked.length);
  const own = `0x${'1'.repeat(32)}`;
  const { apiKey } = await gateway.mint('bob');
  for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter']) {
    expect(await ask(method, [own])).toEqual(unknown);
    expect(await ask(method, [id], network, apiKey)).toEqual(unknown);
  }
  const call = (nth: number, filter: unknown) => ({
    jsonrpc: '2.0',
    id: nth,
    method: 'eth_getFilterChanges',
    params: [filter],
  });
  const answer = await gateway.rpc(apiKey, [call(1, own), call(2, id)], network);
  expect(JSON.parse(await answer.text())).toEqual([1, 2].map((nth) => ({ jsonrpc: '2.0', id: nth, error: unknown })));
  expect(nodes.map((node) => node.asked.length)).toEqual(asked);
});

test('in a batch, polls go to their nodes and the other messages are answered in order (contract/filters#batches)', async () => {
  const ids = [await ask('eth_newBlockFilter', [], pathOf(0)), await ask('eth_newBlockFilter', [], pathOf(1))];
  const mined = chain.mine();
  const calls = [
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getFilterChanges', params: [ids[1]] },
    { method: 'eth_newFilter', params: [{}] },
    { method: 'eth_getFilterChanges', params: [ids[0]] },
    { method: 'eth_getBlockByNumber', params: ['0x1', false] },
  ].map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  const answers: { id: number; result: unknown }[] = JSON.parse(await (await gateway.rpc(key, calls, network)).text());
  expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
  expect(answers.map(({ result }) => result)).toEqual([
    '0x7a69',
    [mined.hash],
    expect.stringMatching(/^0xf1/),
    [mined.hash],
    expect.objectContaining({ number: '0x1' }),
  ]);
});

test('viem: block filters, event filters, and watching by polling (contract/filters#methods)', async () => {
  const client = createPublicClient({
    pollingInterval: 20,
    transport: http(`${gateway.url}${network}`, { fetchOptions: { headers: { 'X-API-Key': key } } }),
  });
  const filter = await client.createBlockFilter();
  const events = await client.createEventFilter({ fromBlock: BigInt(chain.head().number + 1) });
  const mined = chain.mine(1, [{ address: `0x${'a'.repeat(40)}`, topics: [`0x${'b'.repeat(64)}`], data: '0x01' }]);
  expect(await client.getFilterChanges({ filter })).toEqual([mined.hash as `0x${string}`]);
  expect(await client.getFilterChanges({ filter })).toEqual([]);
  const changes = await client.getFilterChanges({ filter: events });
  expect(changes.map(({ data }) => data)).toEqual(['0x01']);
  expect(await client.uninstallFilter({ filter })).toBe(true);

  const seen: unknown[] = [];
  const polls = () => nodes.reduce((sum, node) => sum + node.askedFor('eth_getFilterChanges').length, 0);
  const before = polls();
  const stop = client.watchEvent({ poll: true, onLogs: (logs) => seen.push(...logs.map(({ data }) => data)) });
  await until('it polls', () => polls() > before);
  for (const data of ['0x02', '0x03']) {
    chain.mine(1, [{ address: `0x${'a'.repeat(40)}`, topics: [`0x${'b'.repeat(64)}`], data }]);
    await until('a change is returned', () => seen.includes(data));
  }
  stop();
  expect(seen).toEqual(['0x02', '0x03']);
});

test('ethers and web3.js accept the ids unchanged, also as numbers (contract/filters#methods)', async () => {
  const provider = new JsonRpcProvider(`${gateway.url}/rpc/${key}`, 31337, { staticNetwork: true });
  const web3 = new Web3(`${gateway.url}/rpc/${key}`);
  try {
    const id: unknown = await provider.send('eth_newBlockFilter', []);
    const other = await web3.eth.createNewBlockFilter();
    const mined = chain.mine();
    expect(await provider.send('eth_getFilterChanges', [id])).toEqual([mined.hash]);
    expect(typeof other).toBe('bigint');
    expect<unknown>(await web3.eth.getFilterChanges(other)).toEqual([mined.hash]);
  } finally {
    provider.destroy();
  }
});

test('a filter is lost with its node, and a client that creates a new one continues with another node (contract/filters#lost)', async () => {
  const client = createPublicClient({
    pollingInterval: 20,
    transport: http(`${gateway.url}${network}`, { fetchOptions: { headers: { 'X-API-Key': key } }, retryCount: 0 }),
  });
  const id = await ask('eth_newBlockFilter', [], pathOf(0));
  const seen: unknown[] = [];
  const stop = client.watchEvent({
    poll: true,
    onLogs: (logs) => seen.push(...logs.map(({ data }) => data)),
    onError: () => {},
  });
  const polled = nodes[0].askedFor('eth_getFilterChanges').length;
  await until('it polls the first node', () => nodes[0].askedFor('eth_getFilterChanges').length > polled);
  nodes[0].kill();
  // Until the gateway has noticed the closed connections, the outcome of a poll is unknown: 502
  // (contract/filters#repeated).
  await until('the gateway has noticed that its node is lost', async () => {
    const poll = { jsonrpc: '2.0', id: 1, method: 'eth_getFilterChanges', params: [id] };
    const answer = await gateway.rpc(key, poll, network);
    return answer.status !== 502;
  });
  expect(await ask('eth_getFilterChanges', [id])).toEqual(unknown);
  await until('the other node returns the change', () => {
    chain.mine(1, [{ address: `0x${'a'.repeat(40)}`, topics: [`0x${'b'.repeat(64)}`], data: '0x04' }]);
    return seen.includes('0x04');
  });
  stop();
  nodes[0].revive();
});
