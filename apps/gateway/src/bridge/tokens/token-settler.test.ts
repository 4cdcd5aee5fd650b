import { expect, test } from 'bun:test';
import { type BridgeLog, l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { encodeAbiParameters, encodeEventTopics, type Hex, toHex } from 'viem';
import { ChainAway, type ChainReader } from '../chain/chain-reader.ts';
import { tokenFactoryAbi } from '../decoding/bridge-abi.ts';
import { tokenPairReader } from './token-pair-reader.ts';
import { readDueTokens } from './token-settler.ts';
import type { ReadToken, TokenStore } from './token-store.ts';
import { bridgedTokenView, sourceToken, swappedTokenView } from './token-wire.ts';

const l2 = { dlt: 'ethereum', networkId: 'l2' };
const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const lease = { name: 'bridge main', token: 1 };
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]);
const word = (value: number) => toHex(value, { size: 32 });

/** A store that records what is settled, and tokens with given answers. */
function scene(
  answers: Readonly<Record<string, readonly [symbol: unknown, decimals: unknown]>>,
  dueAtMs: (address: string) => number = () => 0,
) {
  const settled: ReadToken[] = [];
  const putOff: (readonly [ReadToken, number])[] = [];
  const asked: number[] = [];
  const gas = new Set<string | undefined>();
  const store: TokenStore = {
    describe: async () => new Map(),
    pairOfL1: async () => undefined,
    pairOfL2: async () => undefined,
    due: async (network, _, limit) =>
      Object.keys(answers)
        .slice(settled.length + putOff.length, settled.length + putOff.length + limit)
        .map((each) => ({ ...network, address: each, dueAtMs: dueAtMs(each) })),
    settle: async (tokens) => void settled.push(...tokens),
    putOff: async (tokens, atMs) => void putOff.push(...tokens.map((token) => [token, atMs] as const)),
  };
  const chain: ChainReader = {
    async ask(questions) {
      asked.push(questions.length);
      return questions.map(({ params }, at) => {
        const [{ to, gas: ofQuestion }] = params as readonly [{ readonly to: string; readonly gas?: string }];
        gas.add(ofQuestion);
        return answers[to]?.[at % 2];
      });
    },
  };
  const round = { ...l2, chain, lease, nowMs: 5 };
  return { settled, putOff, asked, gas, read: () => readDueTokens(store, round), store, round };
}

test('symbol and decimals are read in each form that tokens use, and omitted where a token returns none that can be shown (contract/bridge#tokens)', async () => {
  const reported: readonly [answer: readonly [unknown, unknown], words: object][] = [
    [[text('FBT'), word(18)], { symbol: 'FBT', decimals: 18 }],
    [[toHex('MKR', { size: 32 }).replace(/^0x0+/, '0x').padEnd(66, '0'), word(0)], { symbol: 'MKR', decimals: 0 }],
    [[text('\u202eUSD\u200bC\n'), word(255)], { symbol: 'USDC', decimals: 255 }],
    [[text('x'.repeat(100)), word(256)], { symbol: 'x'.repeat(32) }],
    [[text(''), '0x'], {}],
    [['0xzz', '0x12'], {}],
    [[text('y'.repeat(5_000)), 7], {}],
    [[{ data: '0x' }, null], {}],
  ];
  const tokenOf = (at: number) => address(String(at + 1));
  const { read, settled, asked } = scene(
    Object.fromEntries(reported.map(([answer], at) => [tokenOf(at), answer] as const)),
  );
  expect(await read()).toBe('done');
  expect(asked).toEqual([2 * reported.length]);
  expect(settled).toEqual(reported.map(([, words], at) => ({ ...l2, address: tokenOf(at), ...words })));
  expect(await read()).toBe('done');
  expect(asked).toHaveLength(1);
});

test('a token that does not answer is asked once more at once, soon again when it is new, and retains its known values (contract/bridge#tokens)', async () => {
  const answers: Record<string, readonly [unknown, unknown]> = {
    [address('1')]: [undefined, word(6)],
    [address('2')]: [text('TWO'), word(2)],
    [address('3')]: [undefined, undefined],
    [address('4')]: [undefined, word(4)],
  };
  const { read, asked, settled, putOff } = scene(answers, (each) => (each === address('3') ? 1 : 0));
  const gate = { ...answers };
  // The second time, one of them answers.
  Object.defineProperty(answers, address('4'), {
    ...{ enumerable: true, get: () => (asked.length < 2 ? gate[address('4')] : [text('FOUR'), word(4)]) },
  });
  expect(await read()).toBe('done');
  expect(asked).toEqual([8, 6]);
  expect(settled).toEqual([
    { ...l2, address: address('2'), symbol: 'TWO', decimals: 2 },
    { ...l2, address: address('4'), symbol: 'FOUR', decimals: 4 },
  ]);
  expect(putOff).toEqual([
    [{ ...l2, address: address('1'), decimals: 6 }, 5 + 300_000],
    [{ ...l2, address: address('3') }, 5 + 7 * 86_400_000],
  ]);
});

test('a check reads 25 tokens and reports whether there may be more; while the chain is away nothing is stored', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`0x${at.toString(16).padStart(40, '0')}`, [text('T'), word(1)]] as const),
  );
  const { read, asked, gas, settled, store, round } = scene(many);
  expect([await read(), await read(), await read()]).toEqual(['more', 'more', 'done']);
  expect(asked).toEqual([50, 50, 20]);
  // No token occupies a node longer than others, or answers with megabytes.
  expect([...gas].map(Number)).toEqual([100_000]);
  expect(settled).toHaveLength(60);
  const away: ChainReader = { ask: () => Promise.reject(new ChainAway('no one answers')) };
  settled.length = 0;
  await expect(readDueTokens(store, { ...round, chain: away })).rejects.toThrow('no one answers');
  expect(settled).toEqual([]);
});

const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;

function created(local: Hex, remote: Hex, more: Partial<BridgeLog> = {}): BridgeLog {
  const eventName = 'OptimismMintableERC20Created';
  const topics = encodeEventTopics({
    abi: tokenFactoryAbi,
    eventName,
    args: { localToken: local, remoteToken: remote },
  });
  return {
    ...{ address: l2Contracts.tokenFactory, topics: topics as Hex[], data: word(1) },
    ...{ blockNumber: 7, blockHash: hash('7'), transactionHash: hash('1'), logIndex: 0 },
    ...more,
  };
}

test('pairs are read from the factory’s events, each with its index in its transaction; other forms are skipped', async () => {
  const { read, wanted } = tokenPairReader();
  const [first, second, other] = [
    created(address('a'), address('b')),
    created(address('c'), address('d'), { logIndex: 1 }),
    created(address('e'), address('f'), { transactionHash: hash('2'), logIndex: 2 }),
  ];
  expect(wanted).toEqual({ addresses: [l2Contracts.tokenFactory], topics: [first.topics[0] ?? '0x'] });
  const blocks = new Map([[7, { number: 7, hash: hash('7'), timestampMs: 9_000 }]]);
  const logs = [
    first,
    { ...first, topics: first.topics.slice(0, 2) },
    { ...first, data: '0x' as const },
    second,
    other,
  ];
  const { tokenPairs } = await read({ logs, blocks, chain: { ask: async () => [] } });
  expect(tokenPairs?.map(({ l1, l2: onL2, nth, blockTimeMs }) => [l1, onL2, nth, blockTimeMs])).toEqual([
    [address('b'), address('a'), 0, 9_000],
    [address('d'), address('c'), 1, 9_000],
    [address('f'), address('e'), 0, 9_000],
  ]);
});

test('a token is shown with both addresses, and with symbol and decimals of the side that it comes from; ether is ETH (contract/bridge#tokens)', () => {
  const ends = { l1: address('a'), l2: address('b') };
  const [onL1, onL2] = [{ dlt: 'ethereum', networkId: 'l1', side: 'l1' } as const, { ...l2, side: 'l2' } as const];
  const known = new Map([
    [`ethereum l1 ${address('a')}`, { symbol: 'ONE', decimals: 6 }],
    [`ethereum l2 ${address('b')}`, { decimals: 8 }],
  ]);
  const checksummed = {
    l1: '0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa',
    l2: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
  };
  expect(bridgedTokenView(ends, onL1, known)).toEqual({ native: false, ...checksummed, symbol: 'ONE', decimals: 6 });
  expect(bridgedTokenView(ends, onL2, known)).toEqual({ native: false, ...checksummed, decimals: 8 });
  expect(bridgedTokenView(ends, { ...onL2, networkId: 'other' }, known)).toEqual({ native: false, ...checksummed });
  expect(bridgedTokenView(undefined, onL1, known)).toEqual({ native: true, symbol: 'ETH', decimals: 18 });
  expect(sourceToken({ ...ends, l2: checksummed.l2 }, onL2)).toEqual({ ...l2, address: address('b') });
  expect(swappedTokenView({ ...l2, address: address('b') }, known)).toEqual({
    ...{ native: false, address: checksummed.l2, decimals: 8 },
  });
});
