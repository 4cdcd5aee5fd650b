/** The outcome of a swap whose block was lost, by a node's answers about its transaction. */

import { expect, test } from 'bun:test';
import type { Network } from '../../upstream/networks/network.ts';
import type { PoolRound } from '../indexing/settler.ts';
import { swapSettler } from './swap-settler.ts';
import type { LostSwap, SwapFinding, SwapStore } from './swap-store.ts';

const nowMs = 1_800_000_000_000;
const dayMs = 86_400_000;
const hash = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;
const tip = { number: 99, hash: hash(99) };
const lostSwap = (at: number, ageMs = 0): LostSwap => ({
  ...{
    swapId: `swp_${at}`,
    transactionHash: hash(at),
    from: `0x${'a'.repeat(40)}`,
    nonce: 16,
    lostAtMs: nowMs - ageMs,
  },
});

type Chain = {
  readonly receipt?: unknown;
  readonly count?: unknown;
  readonly seen?: unknown;
  readonly block?: unknown;
};

/** What is written about lost swaps when a node answers like this. */
async function settled(chain: Chain, lost: readonly LostSwap[] = [lostSwap(1)]) {
  const {
    receipt = null,
    count = '0x10',
    seen = { hash: tip.hash },
    block = { hash: hash(50), timestamp: '0x64' },
  } = chain;
  const answers: Readonly<Record<string, unknown>> = {
    eth_getBlockByNumber: seen,
    eth_getTransactionReceipt: receipt,
    eth_getTransactionCount: count,
    eth_getBlockByHash: block,
  };
  const asked: string[][] = [];
  const written: SwapFinding[] = [];
  const store: SwapStore = {
    lost: async (_, __, limit) => ({ swaps: lost.slice(0, limit), tip }),
    async settle(findings) {
      written.push(...findings.map(({ finding }) => finding));
    },
  };
  const side = { dlt: 'ethereum', networkId: 'l2', chainId: 2, network: {} as Network };
  const round: PoolRound = {
    ...{ pools: [], side, nowMs, signal: new AbortController().signal, lease: { name: 'swaps', token: 1 } },
    state: { streamId: 'swaps/ethereum/l2', nextBlock: 100, epoch: 1 },
    chain: {
      async ask(questions) {
        asked.push(questions.map(({ method, params }) => `${method} ${params.at(-1)}`));
        return questions.map(({ method }) => answers[method]);
      },
    },
  };
  const more = await swapSettler(store).settle(round);
  return { written, asked, more };
}

const receiptWith = (members: object) => ({
  ...{ transactionHash: hash(1), blockNumber: '0x32', blockHash: hash(50), status: '0x0', ...members },
});
const later = (pauseMs: number): SwapFinding => ({ kind: 'unknown', dueAtMs: nowMs + pauseMs });
const finding = async (chain: Chain, lost?: readonly LostSwap[]) => (await settled(chain, lost)).written[0];

test('its transaction failed in a block that was read: failed, at the time of that block', async () => {
  expect(await finding({ receipt: receiptWith({}) })).toEqual({
    ...{ kind: 'failed', block: { number: 50, hash: hash(50) }, blockTimeMs: 100_000 },
  });
  // Without the block's time there is no decision.
  for (const block of [
    null,
    {},
    { hash: hash(51), timestamp: '0x64' },
    { hash: hash(50), timestamp: 'soon' },
    { hash: hash(50), timestamp: '0xfffffffffffff' },
  ])
    expect(await finding({ receipt: receiptWith({}), block })).toEqual(later(5_000));
});

test('its transaction succeeded in a block that was read, without a log of the pool: it did something else', async () => {
  expect(await finding({ receipt: receiptWith({ status: '0x1' }) })).toEqual({ kind: 'dropped' });
});

test('its transaction is in a block that is still to be read: no decision', async () => {
  for (const status of ['0x0', '0x1'])
    expect(await finding({ receipt: receiptWith({ status, blockNumber: '0x64' }) })).toEqual(later(5_000));
});

test('without a receipt: dropped when its nonce was used or after a day, else checked at growing intervals', async () => {
  expect(await finding({ count: '0x11' })).toEqual({ kind: 'dropped' });
  expect(await finding({}, [lostSwap(1, dayMs)])).toEqual({ kind: 'dropped' });
  expect(await finding({}, [lostSwap(1, dayMs - 1)])).toEqual(later(300_000));
  expect(await finding({}, [lostSwap(1, 80_000)])).toEqual(later(10_000));
  // The clock was set back.
  expect(await finding({}, [lostSwap(1, -dayMs)])).toEqual(later(5_000));
});

test('a node on another fork, and answers of a wrong form, decide nothing, not even after a day', async () => {
  const old = [lostSwap(1, 2 * dayMs)];
  for (const seen of [null, false, { hash: hash(98) }, {}])
    expect(await finding({ seen, count: '0x11' }, old)).toEqual(later(300_000));
  for (const count of [false, null, 17, '0x', 'many']) expect(await finding({ count }, old)).toEqual(later(300_000));
  const wrong = [
    { transactionHash: hash(2) },
    { blockNumber: null },
    { blockHash: 7 },
    { status: '0x2' },
    { status: undefined },
  ];
  for (const members of wrong) expect(await finding({ receipt: receiptWith(members) }, old)).toEqual(later(300_000));
  for (const receipt of [false, 7, [], 'null']) expect(await finding({ receipt }, old)).toEqual(later(300_000));
});

test('a check is one batch that begins with the newest block that was read; further swaps wait for the next', async () => {
  const many = Array.from({ length: 30 }, (_, at) => lostSwap(at));
  const { asked, more, written } = await settled({}, many);
  expect(asked.map((batch) => batch.length)).toEqual([41]);
  expect(asked[0]?.slice(0, 3)).toEqual([
    'eth_getBlockByNumber false',
    `eth_getTransactionReceipt ${hash(0)}`,
    'eth_getTransactionCount 0x63',
  ]);
  expect([more, written.length]).toEqual(['more', 20]);
  expect((await settled({}, many.slice(0, 3))).more).toBe('done');
  expect((await settled({}, [])).asked).toEqual([]);
});
