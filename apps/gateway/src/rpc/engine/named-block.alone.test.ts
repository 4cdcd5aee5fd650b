import { describe, expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { bitcoin } from '@flowgate/chain/families/bitcoin';
import type { BlockTag } from '@flowgate/chain/families/block-places';
import { evm } from '@flowgate/chain/families/evm';
import { evmBlocks } from '@flowgate/chain/families/evm-blocks';
import { solana } from '@flowgate/chain/families/solana';
import { takesMoreThan } from '@flowgate/testing/takes-more-than';
import fc from 'fast-check';
import { blockedMethods } from '../../../test/corpora/blocked-methods.ts';
import { createMethodPolicy } from '../method-policy.ts';
import { namedBlock } from './named-block.ts';

const named = (method: string, params?: unknown) =>
  namedBlock(evm, {
    method,
    params: params === undefined ? undefined : rangeOf(typeof params === 'string' ? params : JSON.stringify(params)),
  });

const address = `0x${'ab'.repeat(20)}`;
const hash = `0x${'0c'.repeat(32)}`;
const tag = (name: BlockTag) => ({ kind: 'tag', tag: name }) as const;
const height = (at: number) => ({ kind: 'height', height: at }) as const;
const unknown = { kind: 'unknown' } as const;

describe('a method names its block (contract/heads#named-blocks)', () => {
  test('by a height or a tag, at the place for that method', () => {
    expect(named('eth_getBlockByNumber', ['0x1b4', true])).toEqual(height(436));
    expect(named('eth_getBlockByNumber', ['finalized', false])).toEqual(tag('finalized'));
    expect(named('eth_getBalance', [address, 'safe'])).toEqual(tag('safe'));
    expect(named('eth_getStorageAt', [address, '0x0', '0x10'])).toEqual(height(16));
    expect(named('eth_getProof', [address, ['0x0', '0x1'], 'earliest'])).toEqual(tag('earliest'));
    expect(named('eth_call', [{ to: address, data: '0x"' }, 'pending'])).toEqual(tag('pending'));
    expect(named('eth_call', [{ to: address }, 'latest', { [address]: { balance: '0x1' } }])).toEqual(tag('latest'));
    expect(named('trace_call', [{ to: address }, ['trace'], '0xa'])).toEqual(height(10));
    expect(named('eth_feeHistory', ['0x5', 'latest', [25, 75]])).toEqual(tag('latest'));
    expect(named('eth_simulateV1', [{ blockStateCalls: [{ calls: [{}] }] }, '0xff'])).toEqual(height(255));
  });

  test('by the default for an absent block', () => {
    for (const params of [[address], undefined, [], [address, null], '[ ]'])
      expect(named('eth_getBalance', params)).toEqual(tag('latest'));
    expect(named('eth_call', [{ to: address }])).toEqual(tag('latest'));
    expect(named('eth_estimateGas', [{ to: address }])).toEqual(tag('pending'));
    expect(named('eth_estimateGas', [{ to: address }, 'latest'])).toEqual(tag('latest'));
    expect(named('eth_getBlockByNumber', [])).toEqual(unknown);
    expect(named('eth_getBlockByNumber', [null, false])).toEqual(unknown);
  });

  test('by a hash, or by an object of EIP-1898', () => {
    const block = { kind: 'hash', hash, mustBeCanonical: false } as const;
    expect(named('eth_getBlockByHash', [hash.toUpperCase().replace('X', 'x'), false])).toEqual(block);
    expect(named('eth_getBalance', [address, { blockHash: hash }])).toEqual(block);
    expect(named('eth_getBalance', [address, hash])).toEqual(block);
    expect(named('eth_call', [{}, { blockHash: hash, requireCanonical: true }])).toEqual({
      ...block,
      mustBeCanonical: true,
    });
    expect(named('eth_call', [{}, { requireCanonical: false, blockHash: hash }])).toEqual(block);
    expect(named('eth_call', [{}, { blockNumber: '0x10' }])).toEqual(height(16));
    expect(named('eth_call', [{}, { blockNumber: 'latest' }])).toEqual(tag('latest'));
    expect(named('eth_getTransactionReceipt', [hash])).toEqual({ kind: 'transaction', hash });
    expect(named('eth_getBlockByNumber', [hash, false])).toEqual(unknown);
    expect(named('eth_getBlockByHash', ['latest', false])).toEqual(unknown);
  });

  test('by a range', () => {
    expect(named('eth_getLogs', [{ address, topics: [['a'], null], fromBlock: '0x1', toBlock: '0x2' }])).toEqual({
      kind: 'range',
      from: height(1),
      to: height(2),
    });
    expect(named('eth_getLogs', [{ toBlock: null }])).toEqual({
      kind: 'range',
      from: tag('latest'),
      to: tag('latest'),
    });
    expect(named('eth_getLogs', ' [ { "fromBlock" : "0x1" , "topics" : [ ] } ] '.trim())).toEqual({
      kind: 'range',
      from: height(1),
      to: tag('latest'),
    });
    expect(named('eth_newFilter', [{ blockHash: hash }])).toEqual({ kind: 'hash', hash, mustBeCanonical: false });
    expect(named('eth_getLogs', [{ blockHash: hash, fromBlock: '0x1' }])).toEqual(unknown);
    expect(named('trace_filter', [{ fromBlock: '0x1' }])).toEqual(unknown);
    expect(named('eth_getLogs', [])).toEqual(unknown);
  });

  test('or not at all', () => {
    expect(named('eth_gasPrice', [])).toEqual({ kind: 'head' });
    expect(named('eth_blockNumber')).toEqual({ kind: 'head' });
    expect(named('eth_chainId', [])).toEqual({ kind: 'none' });
    expect(named('eth_pendingTransactions')).toEqual(tag('pending'));
    expect(named('optimism_outputAtBlock', ['latest'])).toEqual(unknown);
    expect(named('ETH_CALL', [{}, 'latest'])).toEqual(unknown);
    expect(namedBlock(solana, { method: 'getSlot', params: undefined })).toEqual(unknown);
    expect(namedBlock(bitcoin, { method: 'getblock', params: undefined })).toEqual(unknown);
  });
});

test('a height that a node may refuse, or two nodes could read differently, is unknown', () => {
  const odd = ['0x', '0x01', '0x00', '0X1', '1', 'x1', '0x1g', '0x-1', ' 0x1', '0x1 ', 'LATEST', 'Latest', '', 'later'];
  for (const text of [
    ...odd,
    '0x20000000000000',
    '0xffffffffffffffff',
    `0x${'1'.repeat(40)}`,
    '\u00e9',
    'late\u0073t\n',
  ])
    expect([text, named('eth_getBalance', [address, text])]).toEqual([text, unknown]);
  for (const text of ['"l\\u0061test"', '"0x\\u0031"', '1', 'true', '[]', '{}', '1e3', '"0\\u00781"'])
    expect([text, named('eth_call', `[{},${text}]`)]).toEqual([text, unknown]);
  expect(named('eth_getBalance', [address, '0xAbC'])).toEqual(height(0xabc));
  expect(named('eth_getBalance', [address, '0x1fffffffffffff'])).toEqual(height(Number.MAX_SAFE_INTEGER));
  expect(named('eth_getBalance', { address, block: 'latest' })).toEqual(unknown);
  const objects = [
    '{"blockNumber":"0x1","blockNumber":"0x2"}',
    '{"blockNumber":"0x1","blocknumber":"0x2"}',
    '{"blocknumber":"0x1"}',
    '{"block\\u004eumber":"0x1"}',
    '{"blockNumber":"0x1","\\u0062lockNumber":"0x2"}',
    `{"blockNumber":"0x1","blockHash":"${hash}"}`,
    `{"blockHash":"${hash}","requireCanonical":"true"}`,
    `{"blockHash":"${hash}","requireCanonical":1}`,
    `{"blockHash":"0x1"}`,
    '{"blockNumber":1}',
  ];
  for (const text of objects) expect([text, named('eth_call', `[{},${text}]`)]).toEqual([text, unknown]);
  for (const text of ['{"fromBlock":"0x1","FromBlock":"0x2"}', '{"fromBlock":"0x1","from\\u0042lock":"0x2"}'])
    expect([text, named('eth_getLogs', `[${text}]`)]).toEqual([text, unknown]);
});

/** The parameter as `JSON.parse` reads it. */
function expected(value: unknown) {
  if (value === undefined || value === null) return tag('latest');
  if (typeof value !== 'string') return unknown;
  if (/^(latest|safe|finalized|earliest|pending)$/.test(value)) return { kind: 'tag', tag: value };
  if (/^0x[0-9a-fA-F]{64}$/.test(value)) return { kind: 'hash', hash: value.toLowerCase(), mustBeCanonical: false };
  if (!/^0x(0|[1-9a-fA-F][0-9a-fA-F]*)$/.test(value) || !Number.isSafeInteger(Number(value))) return unknown;
  return height(Number(value));
}

test('the parameter is found after any other parameters, with any white space', () => {
  const space = fc.constantFrom('', ' ', '\n\t', ' \r');
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('\\', '"', '\\"', '],"latest"', '},{', '\\'.repeat(127), '\\"'.repeat(80), `${'a'.repeat(127)}"`),
    fc.integer({ min: 100, max: 300 }).map((length) => 'f'.repeat(length)),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      texts,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('tree'), { maxLength: 4 }),
    object: fc.dictionary(texts, tie('tree'), { maxKeys: 4 }),
  }));
  const block = fc.oneof(
    fc.constantFrom<unknown>('latest', 'pending', 'safe', 'finalized', 'earliest', null, undefined, hash, 5),
    fc.nat().map((n) => `0x${n.toString(16)}`),
    fc.constantFrom('0x01', '0X1', 'Latest'),
  );
  const spaced = (value: unknown, gap: string): string =>
    Array.isArray(value)
      ? `${gap}[${value.map((each) => spaced(each, gap)).join(`${gap},`)}${gap}]${gap}`
      : gap + JSON.stringify(value) + gap;
  fc.assert(
    fc.property(tree, tree, block, fc.array(tree, { maxLength: 2 }), space, (first, second, at, more, gap) => {
      const rest = at === undefined ? [] : [at, ...more];
      const text = spaced([first, second, ...rest], gap).trim();
      // In a larger block of bytes, like the parameters of a call in a batch.
      const all = Buffer.from(`"],${text},"latest"]`);
      const start = Buffer.byteLength('"],');
      const range = Object.assign(rangeOf(''), { bytes: all, start, end: start + Buffer.byteLength(text) });
      const found: unknown = namedBlock(evm, { method: 'eth_getStorageAt', params: range });
      expect([text, found]).toEqual([text, expected(at)]);
    }),
    { numRuns: 1_500 },
  );
});

test('reading takes time in proportion to the length before the block', () => {
  const call = (data: string) => rangeOf(`[{"to":"${address}","data":"${data}"},"latest"]`);
  const hostile: readonly ((n: number) => string)[] = [
    (n) => 'ab'.repeat(n),
    (n) => '\\"'.repeat(n),
    (n) => '\\\\'.repeat(n),
    (n) => `${'a'.repeat(200)}${'\\"'.repeat(n)}`,
  ];
  for (const data of hostile) {
    const [small, large] = [call(data(20_000)), call(data(160_000))];
    expect(namedBlock(evm, { method: 'eth_call', params: large })).toEqual(tag('latest'));
    // Eight times the length. Quadratic work would take sixty-four times as long.
    const reading = (params: typeof small) => () => namedBlock(evm, { method: 'eth_call', params });
    expect(takesMoreThan(28, reading(large), reading(small))).toBe(false);
  }
});

test('every method of the table is one that a network may forward', () => {
  const forwards = createMethodPolicy(evm.methods, ['trace_*', 'debug_*', 'arbtrace_*', 'ots_*', 'erigon_*']);
  const answeredHere = ['eth_accounts'];
  const odd = [...evmBlocks.keys()].filter((name) => forwards(name) !== 'forward' && !answeredHere.includes(name));
  expect(odd).toEqual([]);
  expect(blockedMethods.filter((name) => evmBlocks.has(name) && name !== 'eth_accounts')).toEqual([]);
});
