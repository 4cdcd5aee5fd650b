/**
 * The history over HTTP, with a rollup, the real contracts and a pool: swaps with reorganizations, and deposits and
 * withdrawals in the same list (contract/history).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { devPoolAbi } from '@flowgate/devkit/contracts/dev-pool-code';
import { until } from '@flowgate/testing/until';
import { type Address, createPublicClient, encodeFunctionData, erc20Abi, type Hex, http, parseAbi } from 'viem';
import type { HistoryEntry } from '../../apps/gateway/src/bridge/history/history-view.ts';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  type RollupGateway,
  rollupAccount,
  sendPrepared,
  startRollupGateway,
} from '../../apps/gateway/test/fixtures/rollup-gateway.ts';
import { rollupControl } from '../../devkit/test/rollup-clients.ts';

const path = '/users/me/history';
const weth: Address = '0x4200000000000000000000000000000000000006';
const passer: Address = '0x4200000000000000000000000000000000000016';
const bridgeAbi = parseAbi(['function bridgeETHTo(address to, uint32 minGas, bytes data) payable']);
const passerAbi = parseAbi(['function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable']);

let running: RollupGateway;
let control: ReturnType<typeof rollupControl>;
beforeAll(async () => {
  running = await startRollupGateway();
  control = rollupControl(running.rollup.bridge.controlUrl);
  for (const [user, nth] of people) await running.link(user, rollupAccount(running.rollup, nth));
  await send('l2', { to: weth, value: 10n ** 16n });
  await send('l2', { to: weth, data: allowance(pool()) });
});
afterAll(() => running?.stop());

/** Alice sends on L2, Dave on L1, because a deposit increments its sender's nonce on L2. */
const people = [
  ['alice', 1],
  ['bob', 4],
] as const;
const addressOf = (nth: number) => rollupAccount(running.rollup, nth).address;
const pool = () => running.rollup.bridge.contracts.pool;
const allowance = (spender: Address) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 10n ** 18n] });

type Call = { readonly to: Address; readonly data?: Hex; readonly value?: bigint };

async function send(side: 'l1' | 'l2', { to, data = '0x', value = 0n }: Call, nth = side === 'l1' ? 0 : 1) {
  const account = rollupAccount(running.rollup, nth);
  const { chainId } = running.rollup.bridge[side];
  const call = { chainId, from: account.address, to, data, value: String(value), gas: '3000000', description: '' };
  const [receipt] = await sendPrepared(running.rollup, account, [call]);
  if (receipt?.status !== 'success') throw new Error('reverted');
  return receipt;
}

function swap(to: Address, amount = 1_000_000_000n) {
  const data = encodeFunctionData({ abi: devPoolAbi, functionName: 'swapExactIn', args: [weth, amount, 1n, to] });
  return send('l2', { to: pool(), data });
}

type Page = { readonly data: readonly HistoryEntry[]; readonly nextCursor?: string };
const page = async (user: string, query = '') =>
  (await jsonBody(await running.as(user, 'GET', `${path}?${query}`))) as unknown as Page;
const list = async (user: string, query = '') => (await page(user, query)).data;
const find = async (hash: Hex, user = 'alice') =>
  (await list(user)).find(({ transactions }) => transactions.some((each) => each.hash === hash));

async function shown(hash: Hex, user = 'alice', status?: string): Promise<HistoryEntry> {
  let entry: HistoryEntry | undefined;
  await until(`${user} sees ${hash} ${status ?? ''}`, async () => {
    entry = await find(hash, user);
    return entry !== undefined && (status === undefined || entry.status === status);
  });
  if (entry === undefined) throw new Error('not shown');
  return entry;
}
const gone = (hash: Hex) => until(`${hash} is gone`, async () => (await find(hash)) === undefined);

const l2 = () => {
  const client = createPublicClient({
    transport: http(running.rollup.bridge.l2.url),
    cacheTime: 0,
    pollingInterval: 20,
  });
  const ask = (method: string, params: readonly unknown[]) =>
    client.request({ method, params } as unknown as Parameters<typeof client.request>[0]);
  return { client, ask: ask as (method: string, params: readonly unknown[]) => Promise<unknown> };
};
/** Replaces the blocks from this transaction's block on. */
async function reorganize(block: bigint, keep: boolean): Promise<void> {
  expect((await control('/reorg', { chain: 'l2', from: Number(block), keep })).status).toBe(200);
}

test('a swap is in the history of its sender and of the recipient of the output, with its tokens (contract/history#entries)', async () => {
  const { l2Token } = running.rollup.bridge.contracts;
  const [own, forBob] = [await swap(addressOf(1)), await swap(addressOf(4), 500_000_000n)];
  const entry = await shown(own.transactionHash);
  const { timestamp } = await l2().client.getBlock({ blockNumber: own.blockNumber });
  let known: HistoryEntry | undefined;
  await until('the tokens are known', async () => {
    known = await find(own.transactionHash);
    return known?.sent?.token.symbol !== undefined && known.received?.token.symbol !== undefined;
  });
  const network = { dlt: 'ethereum', networkId: 'l2' };
  expect(known).toEqual({
    ...{ type: 'swap', id: entry.id, status: 'completed', wallet: addressOf(1), ...network },
    createdAt: new Date(Number(timestamp) * 1_000).toISOString(),
    sent: { token: { native: false, address: weth, symbol: 'WETH', decimals: 18 }, amount: '1000000000' },
    received: {
      token: { native: false, address: l2Token, symbol: expect.any(String), decimals: 18 },
      amount: expect.stringMatching(/^199\d{10}$/),
    },
    transactions: [{ ...network, hash: own.transactionHash, purpose: 'swap' }],
  });
  expect(entry.id).toMatch(/^swp_/);
  const [hers, his] = [await shown(forBob.transactionHash), await shown(forBob.transactionHash, 'bob')];
  expect([hers.id, hers.wallet, hers.sent?.amount, hers.received]).toEqual([
    his.id,
    addressOf(1),
    '500000000',
    undefined,
  ]);
  expect([his.wallet, his.sent, his.received?.amount]).toEqual([
    addressOf(4),
    undefined,
    expect.stringMatching(/^99\d{10}$/),
  ]);
  expect(await list('carol')).toEqual([]);
});

test('a swap that a reorganization mines again retains its id; one that is not mined again is removed (contract/history#swaps)', async () => {
  const receipt = await swap(addressOf(1));
  const { id } = await shown(receipt.transactionHash);
  await reorganize(receipt.blockNumber, true);
  const { blockHash } = await l2().client.waitForTransactionReceipt({ hash: receipt.transactionHash });
  expect(blockHash).not.toBe(receipt.blockHash);
  // A later transfer: once it is listed, the indexer has read the new blocks.
  const later = await swap(addressOf(1));
  await shown(later.transactionHash);
  expect((await shown(receipt.transactionHash)).id).toBe(id);
  await reorganize(later.blockNumber, false);
  await gone(later.transactionHash);
  expect((await shown(receipt.transactionHash)).status).toBe('completed');
});

test('a swap whose transaction is mined again and fails is failed, with the same id (contract/history#swaps)', async () => {
  const before = await send('l2', { to: weth, data: allowance(pool()) });
  const receipt = await swap(addressOf(1));
  const { id } = await shown(receipt.transactionHash);
  const { client, ask } = l2();
  const raw = await ask('eth_getRawTransactionByHash', [receipt.transactionHash]);
  await reorganize(before.blockNumber, false);
  // Replaces the previous transaction with one that removes the pool's allowance.
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [pool(), 0n] });
  await send('l2', { to: weth, data });
  expect(await ask('eth_sendRawTransaction', [raw])).toBe(receipt.transactionHash);
  const again = await client.waitForTransactionReceipt({ hash: receipt.transactionHash });
  expect(again.status).toBe('reverted');
  expect((await shown(receipt.transactionHash, 'alice', 'failed')).id).toBe(id);
});

test('deposits, swaps and withdrawals are one list, with pages and filters by type, wallet and time; without the linked wallet they are hidden', async () => {
  const { l1StandardBridge } = running.rollup.bridge.contracts;
  const args = [addressOf(1), 200_000, '0x'] as const;
  const data = encodeFunctionData({ abi: bridgeAbi, functionName: 'bridgeETHTo', args });
  const deposited = await send('l1', { to: l1StandardBridge, data, value: 7n });
  const out = encodeFunctionData({
    abi: passerAbi,
    functionName: 'initiateWithdrawal',
    args: [addressOf(4), 100_000n, '0x'],
  });
  const withdrawn = await send('l2', { to: passer, data: out, value: 5n });
  const deposit = await shown(deposited.transactionHash);
  expect(deposit).toMatchObject({
    type: 'deposit',
    networkId: 'l1',
    wallet: addressOf(1),
    received: { token: { native: true }, amount: '7' },
  });
  expect(deposit.sent).toBeUndefined();
  expect(deposit.transactions.map(({ networkId, purpose }) => `${networkId} ${purpose}`)).toEqual([
    'l1 deposit',
    'l2 arrival',
  ]);
  const withdrawal = await shown(withdrawn.transactionHash);
  expect(withdrawal).toMatchObject({
    type: 'withdrawal',
    networkId: 'l2',
    wallet: addressOf(1),
    sent: { amount: '5' },
  });
  expect(await shown(withdrawn.transactionHash, 'bob')).toMatchObject({ id: withdrawal.id, received: { amount: '5' } });

  const all = await list('alice');
  expect(new Set(all.map(({ type }) => type)).size).toBe(3);
  expect(all.map(({ createdAt, id }) => `${createdAt} ${id}`)).toEqual(
    all
      .map(({ createdAt, id }) => `${createdAt} ${id}`)
      .sort()
      .reverse(),
  );
  const walked: HistoryEntry[] = [];
  let cursor: string | undefined;
  do {
    const next: Page = await page('alice', `limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    walked.push(...next.data);
    cursor = next.nextCursor;
  } while (cursor !== undefined);
  // Statuses change meanwhile.
  const idsOf = (entries: readonly HistoryEntry[]) => entries.map(({ id }) => id);
  const idsWhere = (isWanted: (entry: HistoryEntry) => boolean) => idsOf(all.filter(isWanted));
  expect(idsOf(walked)).toEqual(idsOf(all));
  for (const type of ['deposit', 'swap', 'withdrawal'])
    expect(idsOf(await list('alice', `type=${type}`))).toEqual(idsWhere((entry) => entry.type === type));
  expect(idsOf(await list('alice', `wallet=${addressOf(1)}&limit=100`))).toEqual(idsOf(all));
  expect(await list('alice', `wallet=${addressOf(4)}`)).toEqual([]);
  const { createdAt } = withdrawal;
  const [after, before] = [await list('alice', `after=${createdAt}`), await list('alice', `before=${createdAt}`)];
  expect(idsOf(after)).toEqual(idsWhere((entry) => entry.createdAt > createdAt));
  expect(idsOf(before)).toEqual(idsWhere((entry) => entry.createdAt < createdAt));
  expect((await running.as('alice', 'DELETE', `/users/me/wallets/${addressOf(1)}`)).status).toBe(204);
  expect(await list('alice')).toEqual([]);
});

test('invalid queries are 400, and without a credential the response is 401', async () => {
  const bad = [
    'type=loan',
    'wallet=0x1',
    'after=yesterday',
    'before=2026-02-30T00:00:00Z',
    'limit=0',
    'cursor=x',
    'type=swap&type=swap',
  ];
  for (const query of [...bad, `wallet=${'f'.repeat(5_000)}`, 'after=%00', `after=${'9'.repeat(2_000)}`])
    await expectStandardError(await running.as('alice', 'GET', `${path}?${query}`), {
      ...{ status: 400, error: 'Bad request', path },
    });
  expect((await running.gateway.fetch(path)).status).toBe(401);
});
