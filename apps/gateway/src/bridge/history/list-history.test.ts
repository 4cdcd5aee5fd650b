/** The history of one user: which places are searched, which wallet an entry names, the amounts sent and received, and which queries are refused. */

import { expect, test } from 'bun:test';
import { encodeCursor } from '@flowgate/base/page';
import { checksumAddress } from '@flowgate/chain/evm-address';
import type { Network } from '../../upstream/networks/network.ts';
import type { Bridge, SwapPool } from '../bridges/bridge.ts';
import type { BridgeWallet } from '../bridges/bridge-wallet.ts';
import type { CrossingRecord, HistoryRecord, SwapEntryRecord } from './history-record.ts';
import type { HistoryPageRequest, HistorySearch } from './history-store.ts';
import { listHistory } from './list-history.ts';

const address = (digit: string) => `0x${digit.repeat(40)}`;
const shown = (digit: string) => checksumAddress(address(digit));
const side = (networkId: string, chainId: number) => ({ dlt: 'ethereum', networkId, chainId, network: {} as Network });
const [l1, l2] = [side('l1', 1), side('l2', 2)];
const contract = '0x' as const;
const bridge: Bridge = {
  ...{ bridgeId: 'main', name: 'Main', l1, l2, confirmations: 1, startBlocks: { l1: 0, l2: 0 }, stalledAfterMs: 1 },
  contracts: {
    portal: contract,
    l1StandardBridge: contract,
    l1CrossDomainMessenger: contract,
    disputeGameFactory: contract,
  },
  tokens: [],
};
const pool: SwapPool = { poolId: 'p', side: l2, address: address('9'), form: 'v2', startBlock: 0 };
const account = (digit: string): BridgeWallet => ({ address: address(digit), kind: 'account', chainId: 1 });
const contractOn = (digit: string, chainId: number): BridgeWallet => ({
  address: address(digit),
  kind: 'contract',
  chainId,
});

type Asked = { readonly searches: readonly HistorySearch[]; readonly request: HistoryPageRequest };

async function ask(query: string, wallets: readonly BridgeWallet[], records: readonly HistoryRecord[] = []) {
  const asked: Asked[] = [];
  const places = { bridges: [bridge], pools: [pool] };
  const result = await listHistory(
    {
      places,
      walletsOf: async () => wallets,
      tokens: { describe: async () => new Map([[`ethereum l2 ${address('1')}`, { symbol: 'WETH', decimals: 18 }]]) },
      store: {
        async page(searches, request) {
          asked.push({ searches, request });
          return { records };
        },
      },
    },
    'alice',
    new URLSearchParams(query),
  );
  return { result, asked };
}

async function entriesOf(wallets: readonly BridgeWallet[], ...records: readonly HistoryRecord[]) {
  const { result } = await ask('', wallets, records);
  return result.ok ? result.value.data : [];
}

const swap = (members: Partial<SwapEntryRecord> = {}): SwapEntryRecord => ({
  ...{
    type: 'swap',
    id: 'swp_1',
    streamId: 'swaps/ethereum/l2',
    status: 'completed',
    createdAtMs: 0,
    transactionHash: '0x5e',
  },
  ...{ from: address('a'), sender: address('c'), to: address('d') },
  ...{ tokenIn: address('1'), amountIn: '5', tokenOut: address('2'), amountOut: '9', ...members },
});
const crossing = (type: 'deposit' | 'withdrawal', members: Partial<CrossingRecord> = {}): CrossingRecord => ({
  ...{ type, id: 'dep_1', bridgeId: 'main', kind: 'native', status: 'pending', createdAtMs: 0, amount: '7' },
  ...{
    from: address('a'),
    to: address('b'),
    transactions: [{ side: 'l1', hash: '0x5e', purpose: 'deposit' }],
    ...members,
  },
});
const [sent, received] = [
  { token: { native: false, address: shown('1'), symbol: 'WETH', decimals: 18 }, amount: '5' },
  { token: { native: false, address: shown('2') }, amount: '9' },
];

test('a swap: the user who swapped sends, the account that the pool names receives', async () => {
  const place = {
    type: 'swap',
    id: 'swp_1',
    status: 'completed',
    createdAt: '1970-01-01T00:00:00.000Z',
    dlt: 'ethereum',
    networkId: 'l2',
  };
  const transactions = [{ dlt: 'ethereum', networkId: 'l2', hash: '0x5e', purpose: 'swap' }];
  expect(await entriesOf([account('a')], swap())).toEqual([
    { ...place, wallet: shown('a'), sent, transactions },
  ] as never);
  expect(await entriesOf([account('d')], swap())).toEqual([
    { ...place, wallet: shown('d'), received, transactions },
  ] as never);
  // Both are linked: one entry, of the sender's wallet.
  const both = [{ ...place, wallet: shown('a'), sent, received, transactions }];
  expect(await entriesOf([account('d'), account('a')], swap())).toEqual(both as never);
  // The amount that the router received is for the user who swapped.
  expect(await entriesOf([account('a')], swap({ to: address('c') }))).toEqual(both as never);
  expect(await entriesOf([account('e')], swap())).toEqual([]);
});

test("a contract wallet that called the pool swapped, regardless of the transaction's sender; on its own chain only", async () => {
  const wallets = async (...linked: readonly BridgeWallet[]) =>
    (await entriesOf(linked, swap())).map(({ wallet }) => wallet);
  expect(await wallets(contractOn('c', 2))).toEqual([shown('c')]);
  expect(await wallets(account('a'), contractOn('c', 2))).toEqual([shown('c')]);
  expect(await wallets(contractOn('c', 1))).toEqual([]);
  expect(await wallets(account('a'), contractOn('c', 1))).toEqual([shown('a')]);
});

test('a deposit is sent on L1 and received on L2, a withdrawal the other way round', async () => {
  const reported = async (wallet: BridgeWallet, type: 'deposit' | 'withdrawal') =>
    (await entriesOf([wallet], crossing(type))).map((entry) => [
      ...[entry.networkId, entry.wallet, entry.sent?.amount, entry.received?.amount],
    ]);
  expect(await reported(account('a'), 'deposit')).toEqual([['l1', shown('a'), '7', undefined]]);
  expect(await reported(account('b'), 'deposit')).toEqual([['l1', shown('b'), undefined, '7']]);
  expect(await reported(account('b'), 'withdrawal')).toEqual([['l2', shown('b'), undefined, '7']]);
  expect(await reported(contractOn('a', 1), 'deposit')).toEqual([['l1', shown('a'), '7', undefined]]);
  for (const [digit, chainId, type] of [
    ['a', 2, 'deposit'],
    ['b', 1, 'deposit'],
    ['a', 1, 'withdrawal'],
    ['b', 2, 'withdrawal'],
  ] as const)
    expect(await reported(contractOn(digit, chainId), type)).toEqual([]);
});

test('ether, tokens, and messages with and without ether; transactions name their networks', async () => {
  const ends = { l1: address('3'), l2: address('1') };
  const transactions = [
    { side: 'l2', hash: '0x01', purpose: 'initiation' },
    { side: 'l1', hash: '0x02', purpose: 'proof' },
  ] as const;
  const token = crossing('withdrawal', { kind: 'token', token: ends, to: address('a'), transactions });
  const [native, tokens, silent, paid, elsewhere] = await entriesOf(
    [account('a')],
    ...[crossing('deposit'), token, crossing('deposit', { kind: 'message', amount: '0' })],
    ...[crossing('deposit', { kind: 'message' }), crossing('deposit', { bridgeId: 'gone' })],
  );
  const ether = { token: { native: true, symbol: 'ETH', decimals: 18 }, amount: '7' };
  expect([native?.sent, native?.received]).toEqual([ether, undefined]);
  const moved = { token: { native: false, l1: shown('3'), l2: shown('1'), symbol: 'WETH', decimals: 18 }, amount: '7' };
  expect([tokens?.sent, tokens?.received]).toEqual([moved, moved] as never);
  expect(tokens?.transactions).toEqual([
    { dlt: 'ethereum', networkId: 'l2', hash: '0x01', purpose: 'initiation' },
    { dlt: 'ethereum', networkId: 'l1', hash: '0x02', purpose: 'proof' },
  ]);
  expect([silent?.wallet, silent?.sent, silent?.received]).toEqual([shown('a'), undefined, undefined]);
  expect(paid?.sent).toEqual(ether);
  expect(elsewhere).toBeUndefined();
});

test('each wallet is searched on the chains where it counts, for the requested types and wallet', async () => {
  const wallets = [account('a'), contractOn('c', 2)];
  const found = async (query: string) =>
    (await ask(query, wallets)).asked.flatMap(({ searches }) =>
      searches.map(
        ({ type, role, places }) =>
          `${type} ${role} ${places.map((place) => `${place.address.at(2)}@${place.partition}`).join(' ')}`,
      ),
    );
  const deposits = ['deposit from a@main', 'deposit to a@main c@main'];
  const withdrawals = ['withdrawal from a@main c@main', 'withdrawal to a@main'];
  const swaps = ['from', 'sender', 'to'].map((role) => `swap ${role} a@swaps/ethereum/l2 c@swaps/ethereum/l2`);
  expect(await found('')).toEqual([...deposits, ...withdrawals, ...swaps]);
  expect(await found('type=deposit')).toEqual(deposits);
  expect(await found('type=withdrawal')).toEqual(withdrawals);
  expect(await found('type=swap')).toEqual(swaps);
  expect(await found(`type=deposit&wallet=${shown('c')}`)).toEqual(['deposit to c@main']);
  // No place to search: no query at all.
  expect(await found(`wallet=${address('e')}`)).toEqual([]);
  expect((await ask('', [])).result).toEqual({ ok: true, value: { data: [] } });
});

test('times bound the page; with a cursor, the earlier of the two counts', async () => {
  const requestOf = async (query: string) => (await ask(query, [account('a')])).asked[0]?.request;
  const id = `swp_${'0'.repeat(26)}`;
  const cursor = encodeCursor({ atMs: 5_000, id: `history/${id}` });
  expect(await requestOf('')).toEqual({ page: { limit: 20 } });
  expect(await requestOf('limit=3&after=1970-01-01T00:00:01Z')).toEqual({ page: { limit: 3 }, newerThanMs: 1_000 });
  const before = (seconds: string) => `before=1970-01-01T00:00:${seconds}Z`;
  expect(await requestOf(before('09'))).toEqual({ page: { limit: 20, after: { atMs: 9_000, id: '' } } });
  expect(await requestOf(`cursor=${cursor}&${before('09')}`)).toEqual({
    page: { limit: 20, after: { atMs: 5_000, id } },
  });
  for (const seconds of ['05', '02'])
    expect(await requestOf(`cursor=${cursor}&${before(seconds)}`)).toEqual({
      page: { limit: 20, after: { atMs: Number(seconds) * 1_000, id: '' } },
    });
});

test('bad queries are refused with every problem, before any read', async () => {
  const foreign = encodeCursor({ atMs: 5, id: `wal_${'0'.repeat(26)}` });
  const ofDeposits = encodeCursor({ atMs: 5, id: `dep_${'0'.repeat(26)}` });
  const bad = {
    [`cursor=${ofDeposits}`]: /cursor is not one that this list gave/,
    'kind=swap&x=1': /kind is no parameter of this list: it has type, wallet, after, before, limit, cursor; x is/,
    'type=loan': /type must be one of deposit, swap, withdrawal/,
    'type=': /type/,
    'type=swap&type=swap': /type must be given once/,
    'wallet=0x12': /wallet must be an address/,
    [`wallet=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD`]: /checksum/,
    'wallet=': /wallet/,
    [`wallet=${address('a')}&wallet=${address('a')}`]: /wallet must be given once/,
    'after=yesterday': /after must be an ISO 8601 time/,
    'after=1763800000': /after/,
    'after=2026-11-22': /after/,
    'before=2026-02-30T00:00:00Z': /before/,
    'before=': /before/,
    'after=2026-11-22T10:00:00Z&after=2026-11-22T10:00:00Z': /after must be given once/,
    [`cursor=${foreign}`]: /cursor is not one that this list gave/,
    'limit=101': /limit/,
    'limit=0&type=x&after=y': /limit.*type|type.*limit/,
  };
  for (const [query, message] of Object.entries(bad)) {
    const { result, asked } = await ask(query, [account('a')]);
    expect([query, result.ok, asked]).toEqual([query, false, []]);
    expect(result.ok ? '' : result.detail).toMatch(message);
  }
});
