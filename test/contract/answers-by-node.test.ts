/**
 * Correct nodes that are some blocks apart: each result for a caller comes from a node that has the block
 * (contract/heads, contract/logs, contract/cache).
 */

import { afterEach, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain, type SimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';

const log = { address: `0x${'aa'.repeat(20)}`, topics: [], data: '0x' };
const hex = (height: number) => `0x${height.toString(16)}`;

const endings: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

type Scene = Awaited<ReturnType<typeof scene>>;
type Reported = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
};

/** Two nodes at block 40, each block with one log. Calls go to `first` unless it lacks a block that they need. */
async function scene() {
  const chain = createSimChain({ finalDepth: 2 });
  chain.mine(40, [log]);
  const [first, second] = [startSimNode(chain), startSimNode(chain)];
  const gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      health: { intervalSeconds: 3_600 },
      outbound: { nodeTimeoutSeconds: 2 },
      networks: [
        {
          ...{ dlt: 'sim', networkId: 'two', chainId: 31337, default: true },
          nodes: [
            { nodeId: 'first', url: first.httpUrl },
            { nodeId: 'second', url: second.httpUrl },
          ],
          logs: { maxBlockRange: 10 },
          routing: { strategy: 'ordered' },
        },
      ],
    },
  });
  endings.push(gateway.stop, first.stop, second.stop);
  const key = (await gateway.mint()).apiKey;
  const send = async (body: unknown) => JSON.parse(await (await gateway.rpc(key, body)).text());
  const ask = (method: string, params: readonly unknown[] = []): Promise<Reported> =>
    send({ jsonrpc: '2.0', id: 1, method, params });
  const askAll = async (...calls: (readonly [string, ...unknown[]])[]): Promise<readonly Reported[]> =>
    send(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })));
  const head = async () => Number((await ask('eth_blockNumber')).result);
  await until('the head is known', async () => (await head()) === 40);
  return { chain, first, second, gateway, key, ask, askAll, head };
}

/** `first` stays at block 40 while callers see `blocks` more. */
async function sceneBehind(blocks = 5): Promise<Scene> {
  const all = await scene();
  const { chain, first, head } = all;
  first.freeze();
  chain.mine(blocks, [log]);
  await until('the new head is known', async () => (await head()) === 40 + blocks);
  return all;
}

const heightsOf = ({ result }: Reported): readonly number[] =>
  Array.isArray(result) ? result.map(({ blockNumber }) => Number(blockNumber)) : [];
const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth);

const balanceOf = (chain: SimChain, address: string, height: number) =>
  hex(Number(chain.at().byNumber(height)?.state.get(address)?.balance));
/** An account whose balance changed after block `height`. */
function changedAccount(chain: SimChain, height: number): string {
  const found = chain.accounts.find(
    (account) => balanceOf(chain, account, height) !== balanceOf(chain, account, chain.head().number),
  );
  if (found === undefined) throw new Error('no balance changed');
  return found;
}

test('a range of logs that two nodes answered in pieces raises the height of neither (contract/heads#who-answered)', async () => {
  const { chain, ask, first } = await sceneBehind();
  const whole = await ask('eth_getLogs', [{ fromBlock: '0x1', toBlock: 'latest' }]);
  expect(heightsOf(whole)).toEqual(upTo(1, 45));
  expect(first.askedFor('eth_getLogs').length).toBeGreaterThan(0);
  const account = changedAccount(chain, 40);
  expect(heightsOf(await ask('eth_getLogs', [{ fromBlock: hex(41), toBlock: hex(45) }]))).toEqual(upTo(41, 45));
  expect((await ask('eth_getBalance', [account, 'latest'])).result).toBe(balanceOf(chain, account, 45));
});

test('a node that stopped following its chain never causes an incomplete cached answer (contract/cache#cached)', async () => {
  const { ask, first } = await sceneBehind();
  const final = [{ fromBlock: hex(41), toBlock: hex(43) }];
  for (let round = 0; round < 3; round++) {
    await ask('eth_getLogs', [{ fromBlock: '0x1', toBlock: hex(45 - round) }]);
    expect(heightsOf(await ask('eth_getLogs', final))).toEqual(upTo(41, 43));
  }
  first.heal();
  expect(heightsOf(await ask('eth_getLogs', final))).toEqual(upTo(41, 43));
});

test('no element of a batch is older than a block that another element shows (contract/heads#who-answered)', async () => {
  const { chain, first, second, askAll, head } = await scene();
  second.freeze();
  chain.mine(5, [log]);
  const account = changedAccount(chain, 40);
  let refusals = 1;
  first.lie((answer, method) =>
    method === 'eth_getBalance' && refusals-- > 0
      ? { error: { code: -32005, message: 'daily request count exceeded, request rate limited' } }
      : answer,
  );
  const [block, balance] = await askAll(
    ['eth_getBlockByNumber', 'latest', false],
    ['eth_getBalance', account, 'latest'],
  );
  expect(block?.result).toMatchObject({ number: hex(45) });
  expect(balance?.result).toBe(balanceOf(chain, account, 45));
  expect(await head()).toBe(45);
});

test('logs up to the newest block are complete, or an error names the available blocks (contract/logs#completeness)', async () => {
  const { ask, second } = await sceneBehind();
  const end = second.fail({ kind: 'status', status: 500 }, 'eth_getLogs');
  const available = { fromBlock: hex(38), toBlock: hex(40) };
  for (const filter of [{ fromBlock: hex(38) }, { fromBlock: hex(38), toBlock: hex(45) }])
    expect((await ask('eth_getLogs', [filter])).error).toMatchObject({ code: -32005, data: available });
  end();
  expect(heightsOf(await ask('eth_getLogs', [{ fromBlock: hex(38) }]))).toEqual(upTo(38, 45));
});

test('after a caller received a receipt, every later read includes its block (contract/heads#the-head-never-goes-back)', async () => {
  // Heads are followed at the second node, because the first one was behind.
  const { chain, first, second, ask, head } = await sceneBehind(2);
  second.freeze();
  first.heal();
  chain.mine(2, [log]);
  const [transaction] = chain.head().transactions;
  const account = changedAccount(chain, 42);
  const receipt = await ask('eth_getTransactionReceipt', [transaction?.hash]);
  expect(receipt.result).toMatchObject({ blockNumber: hex(44) });
  expect(await head()).toBe(44);
  expect((await ask('eth_getBalance', [account, 'latest'])).result).toBe(balanceOf(chain, account, 44));
});
