/** Records that the reader derives from logs of pools: by form and position, with tokens and senders requested in bounded batches. */

import { expect, test } from 'bun:test';
import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import { type Address, encodeAbiParameters, encodeEventTopics, getAddress, type Hex } from 'viem';
import type { Network } from '../../upstream/networks/network.ts';
import type { SwapPool } from '../bridges/bridge.ts';
import { ChainAway } from '../chain/chain-reader.ts';
import { v2SwapAbi, v3SwapAbi } from '../decoding/bridge-abi.ts';
import { createSwapReader } from './swap-reader.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const side = { dlt: 'ethereum', networkId: 'l2', chainId: 2, network: {} as Network };
const poolOf = (digit: string, form: 'v2' | 'v3', startBlock = 0): SwapPool => ({
  ...{ poolId: `pool-${digit}`, side, address: address(digit), form, startBlock },
});
const [two, three] = [poolOf('a', 'v2'), poolOf('b', 'v3', 5)];

const numbers = (...values: readonly bigint[]) =>
  encodeAbiParameters(
    values.map(() => ({ type: 'int256' })),
    [...values],
  );
const parties = { sender: address('c'), to: address('d'), recipient: address('d') };
const v2Topics = encodeEventTopics({ abi: v2SwapAbi, args: parties });
const v3Topics = encodeEventTopics({ abi: v3SwapAbi, args: parties });

function logOf(pool: SwapPool, transaction: number, data: Hex, blockNumber = 7): BridgeLog {
  const topics = (pool.form === 'v2' ? v2Topics : v3Topics).flatMap((topic) => topic ?? []);
  const place = { blockNumber, blockHash: hash(blockNumber), transactionHash: hash(transaction), logIndex: 0 };
  return {
    address: pool.address as Address,
    topics: topics.map((topic): Hex => `0x${String(topic).slice(2)}`),
    data,
    ...place,
  };
}
const v2Swap = (pool: SwapPool, transaction: number, block = 7) =>
  logOf(pool, transaction, numbers(9n, 0n, 0n, 4n), block);

/** A chain whose pools have the tokens 1 and 2, and whose transactions are in block 7 unless a test says otherwise. */
function chainWith({
  word = (digit: string) => `0x${'0'.repeat(24)}${digit.repeat(40)}`,
  transaction = {} as object | null,
} = {}) {
  const asked: string[] = [];
  return {
    asked,
    async ask(questions: readonly { readonly method: string; readonly params: readonly unknown[] }[]) {
      asked.push(`${questions.length} ${questions[0]?.method}`);
      return questions.map(({ method, params: [first] }) => {
        if (method === 'eth_call') return word((first as { data: string }).data === '0x0dfe1681' ? '1' : '2');
        if (transaction === null) return null;
        return { hash: first, blockHash: hash(7), from: address('E'), nonce: '0x10', ...transaction };
      });
    },
  };
}

const read = (logs: readonly BridgeLog[], chain = chainWith(), reader = createSwapReader([two, three])) =>
  reader.read({
    logs,
    chain,
    blocks: new Map(
      logs.map(({ blockNumber: number }) => [number, { number, hash: hash(number), timestampMs: 5_000 }]),
    ),
  });

test('swaps of both forms, in either direction, with tokens, sender and index', async () => {
  const v3 = logOf(three, 2, numbers(-6n, 8n, 1n, 1n, 1n));
  const { swaps } = await read([v2Swap(two, 1), v3]);
  const ends = { sender: getAddress(address('c')), recipient: getAddress(address('d')) };
  const transaction = { from: address('e'), nonce: 16 };
  const at = { nth: 0, blockNumber: 7, blockHash: hash(7), logIndex: 0, blockTimeMs: 5_000, transaction };
  const [one, other] = [address('1'), address('2')];
  expect(swaps).toEqual([
    {
      ...at,
      transactionHash: hash(1),
      pool: address('a'),
      tokenIn: one,
      tokenOut: other,
      swap: { ...ends, isZeroIn: true, amountIn: 9n, amountOut: 4n },
    },
    {
      ...at,
      transactionHash: hash(2),
      pool: address('b'),
      tokenIn: other,
      tokenOut: one,
      swap: { ...ends, isZeroIn: false, amountIn: 8n, amountOut: 6n },
    },
  ]);
});

test("the index counts the pool's logs in the transaction, including those that exchange nothing; not other pools or logs before its first block", async () => {
  const nothing = logOf(two, 1, numbers(0n, 0n, 0n, 4n));
  const early = logOf(three, 1, numbers(-6n, 8n, 1n, 1n, 1n), 4);
  const { swaps = [] } = await read([nothing, v2Swap(two, 1), early, v2Swap(two, 1), v2Swap(two, 2)]);
  expect(swaps.map(({ transactionHash, pool, nth }) => [transactionHash, pool, nth])).toEqual([
    [hash(1), address('a'), 1],
    [hash(1), address('a'), 2],
    [hash(2), address('a'), 0],
  ]);
});

test('logs of other forms are skipped without a call', async () => {
  const chain = chainWith();
  const foreign = {
    ...v2Swap(two, 1),
    topics: v3Topics.flatMap((topic) => (typeof topic === 'string' ? [topic] : [])),
  };
  const cut = { ...v2Swap(two, 1), data: '0x01' as const };
  expect(await read([foreign, cut, { ...v2Swap(two, 1), address: address('9') }], chain)).toEqual({});
  expect(chain.asked).toEqual([]);
});

test('the tokens of a pool are requested once; each transaction is requested once, in batches', async () => {
  const [chain, reader] = [chainWith(), createSwapReader([two, three])];
  const logs = Array.from({ length: 120 }, (_, at) => v2Swap(two, Math.floor(at / 2)));
  expect((await read(logs, chain, reader)).swaps).toHaveLength(120);
  await read([v2Swap(two, 1)], chain, reader);
  const transactions = ['50 eth_getTransactionByHash', '10 eth_getTransactionByHash', '1 eth_getTransactionByHash'];
  expect(chain.asked.filter((each) => !each.startsWith('0 '))).toEqual(['2 eth_call', ...transactions]);
});

test('a pool without tokens, and transactions that are not in the block of their logs, are faults and make no record', async () => {
  const failing = (chain: ReturnType<typeof chainWith>) => read([v2Swap(two, 1)], chain);
  for (const word of ['0x', `0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`, address('1')])
    expect(failing(chainWith({ word: () => word }))).rejects.toThrow(/pool pool-a does not return its tokens/);
  expect(failing(chainWith({ word: () => `0x${'0'.repeat(63)}1` }))).rejects.toThrow(/tokens/);
  for (const transaction of [
    null,
    { blockHash: hash(8) },
    { hash: hash(8) },
    { from: '0x1' },
    { nonce: 16 },
    { blockHash: null },
  ])
    expect(failing(chainWith({ transaction }))).rejects.toThrow(ChainAway);
  const reader = createSwapReader([two]);
  expect(read([v2Swap(two, 1)], chainWith({ word: () => '0x' }), reader)).rejects.toThrow(ChainAway);
  expect((await read([v2Swap(two, 1)], chainWith(), reader)).swaps).toHaveLength(1);
});
