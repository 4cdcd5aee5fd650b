/** `eth_getLogs` over HTTP, with nodes that limit ranges and results (contract/logs). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createPublicClient, http } from 'viem';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';

const chain = createSimChain({ logs: 4 });
chain.mine(300);
const nodes = [startSimNode(chain, { limits: { blockRange: 50 } }), startSimNode(chain, { limits: { results: 60 } })];
const free = startSimNode(chain, { limits: { blockRange: 1_000_000, results: 1_000_000 } });
const path = (networkId: string) => `/dlts/sim/networks/${networkId}/rpc`;
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  const network = (networkId: string, url: string, logs: object) => ({
    ...{ dlt: 'sim', networkId, chainId: 31337, logs },
    nodes: [{ nodeId: `${networkId}-node`, url }],
  });
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 400 },
      health: { intervalSeconds: 3_600 },
      networks: [
        network('ranges', nodes[0]?.httpUrl ?? '', {}),
        network('results', nodes[1]?.httpUrl ?? '', {}),
        network('bounded', free.httpUrl, { maxBlockRange: 40, maxResults: 100 }),
        network('free', free.httpUrl, { maxBlockRange: 1_000_000, maxResults: 1_000_000 }),
      ],
    },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  for (const node of [...nodes, free]) node.stop();
});

type Logs = { readonly blockNumber: string; readonly logIndex: string }[];
async function ask(
  networkId: string,
  filter: object,
  apiKey = key,
): Promise<{ result?: Logs; error?: { code: number; data: { fromBlock: string; toBlock: string } } }> {
  const answer = await gateway.rpc(
    apiKey,
    { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] },
    path(networkId),
  );
  expect(answer.status).toBe(200);
  return JSON.parse(await answer.text());
}
const all = { fromBlock: '0x1', toBlock: 'latest' };

test('a call that nodes refuse for its range or number of results is split, and the answer is complete (contract/logs#split)', async () => {
  const { result: whole = [] } = await ask('free', all);
  expect(whole.length).toBeGreaterThan(300);
  for (const networkId of ['ranges', 'results']) expect((await ask(networkId, all)).result).toEqual(whole);
  expect(nodes[0]?.askedFor('eth_getLogs').length).toBeLessThan(20);
});

test('over the limit of results, the error names a range that fits, and continuing after it returns everything (contract/logs#results)', async () => {
  const { result: whole = [] } = await ask('free', all);
  const found: Logs = [];
  for (let from = 1; from <= chain.head().number; ) {
    const { result, error } = await ask('bounded', { fromBlock: `0x${from.toString(16)}`, toBlock: 'latest' });
    if (result === undefined) {
      const { fromBlock, toBlock } = error?.data ?? { fromBlock: '', toBlock: '' };
      expect([error?.code, Number(fromBlock)]).toEqual([-32005, from]);
      found.push(...((await ask('bounded', { fromBlock, toBlock })).result ?? []));
      from = Number(toBlock) + 1;
    } else {
      found.push(...result);
      break;
    }
  }
  expect(found).toEqual(whole);
});

test('each further piece counts as a request, and a call with too many pieces for the rate limit is refused (contract/logs#charged)', async () => {
  const { apiKey } = await gateway.mint('counted');
  const remaining = async () => {
    const answer = await gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }, path('bounded'));
    return Number(answer.headers.get('x-ratelimit-remaining'));
  };
  const before = await remaining();
  await ask('bounded', { fromBlock: '0x1', toBlock: '0x50' }, apiKey);
  // The call, its second piece, and the request for the remaining limit.
  expect(before - (await remaining())).toBe(3);
});

test('in a batch with other calls, answers are in order (contract/logs#batches)', async () => {
  const call = (id: number, method: string, params: readonly unknown[] = []) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });
  const body = [
    call(1, 'eth_chainId'),
    call(2, 'eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x64' }]),
    call(3, 'eth_getLogs', [{ fromBlock: '0x5', toBlock: '0x5' }]),
  ];
  const answers: { id: number; result: unknown }[] = JSON.parse(
    await (await gateway.rpc(key, body, path('ranges'))).text(),
  );
  const { result: first } = await ask('free', { fromBlock: '0x1', toBlock: '0x64' });
  const { result: one } = await ask('free', { fromBlock: '0x5', toBlock: '0x5' });
  expect(answers.map(({ id, result }) => [id, result])).toEqual([
    [1, '0x7a69'],
    [2, first],
    [3, one],
  ]);
});

test('viem reads logs as from a single node', async () => {
  const client = createPublicClient({
    transport: http(`${gateway.url}${path('ranges')}`, { fetchOptions: { headers: { 'X-API-Key': key } } }),
  });
  const logs = await client.getLogs({ fromBlock: 1n, toBlock: 'latest' });
  const { result = [] } = await ask('free', all);
  expect(logs.map(({ blockNumber, logIndex }) => [Number(blockNumber), logIndex])).toEqual(
    result.map(({ blockNumber, logIndex }) => [Number(blockNumber), Number(logIndex)]),
  );
});
