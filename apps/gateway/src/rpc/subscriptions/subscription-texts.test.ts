import { expect, test } from 'bun:test';
import { runAtOnce } from '@flowgate/async/time-slices';
import { ByteRange, rangeOf } from '@flowgate/bytes/byte-range';
import { BloomBits, coversBloom, emptyBloom, isEmptyBloom, readBloom } from '@flowgate/chain/logs-bloom';
import { blockOf, bloomOf, headerOf, logsOf, type SimBlock } from '../../../test/fixtures/sim-block.ts';
import { createSimChain } from '../../../test/fixtures/sim-chain.ts';
import { presentLog, readBlockLogs, removedLog } from './block-logs.ts';
import { headNotification } from './chain-feed.ts';
import { readSubscriptionParams } from './create-subscriptions.ts';

function blockWithLogs(): SimBlock {
  const chain = createSimChain({ seed: 3, logs: 6 });
  for (;;) {
    const block = chain.mine();
    if (block.logs.length === 6) return block;
  }
}

const block = blockWithLogs();
const parse = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());

test('a header is reported the same, whether a node pushed the header or returned the block', () => {
  for (const spaces of [0, 2])
    for (const given of [blockOf(block, false), blockOf(block, true), headerOf(block)]) {
      const text = `  ${JSON.stringify(given, null, spaces)}`;
      const { bytes, bloom } = headNotification(new ByteRange(Buffer.from(`xx${text}yy`), 2, 2 + text.length));
      expect(parse(bytes)).toEqual(headerOf(block));
      expect(bloom).toEqual(readBloom(block.logsBloom) ?? emptyBloom());
    }
});

test('members that a chain adds to its headers are reported, too', () => {
  const { bytes } = headNotification(rangeOf('{"l1BlockNumber":"0x1","size":"0x2","hash":"0x3","sendRoot":"}{"}'));
  expect(Buffer.from(bytes).toString()).toBe('{"l1BlockNumber":"0x1","hash":"0x3","sendRoot":"}{"}');
});

test('logs are reported with the bytes that the node sent; only removed changes', () => {
  const logs = logsOf(block);
  const text = JSON.stringify(logs);
  const found = runAtOnce(readBlockLogs(new ByteRange(Buffer.from(` ${text} `), 0, text.length + 2), block));
  expect(found?.logs).toHaveLength(6);
  for (const [at, log] of (found?.logs ?? []).entries()) {
    const bytes = found?.bytes ?? new Uint8Array(0);
    expect(Buffer.from(presentLog(bytes, log)).toString()).toBe(JSON.stringify(logs[at]));
    expect(Buffer.from(removedLog(bytes, log)).toString()).toBe(JSON.stringify({ ...logs[at], removed: true }));
    expect(log.address).toBe(block.logs[at]?.address ?? '');
    expect(log.topics).toEqual(block.logs[at]?.topics ?? []);
  }
});

test('removed is added to a removed log that lacks it', () => {
  const [log] = logsOf(block).map(({ removed, ...rest }) => ({ ...rest, was: removed }));
  const found = runAtOnce(readBlockLogs(rangeOf(JSON.stringify([log])), block));
  const [one] = found?.logs ?? [];
  expect(one && found && parse(removedLog(found.bytes, one))).toEqual({ ...log, removed: true });
});

test('logs are ordered by their index; an answer with a repeated log or a log of another block is not used', () => {
  const logs = logsOf(block);
  const read = (given: unknown) => runAtOnce(readBlockLogs(rangeOf(JSON.stringify(given)), block));
  expect(read(logs.toReversed())?.logs.map(({ logIndex }) => logIndex)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(read([])?.logs).toEqual([]);
  const wrong = [
    ...[null, {}, 'x', [5], [null], [{}]],
    [...logs, logs[0]],
    [{ ...logs[0], blockHash: block.parentHash }],
    [{ ...logs[0], address: '0x1' }],
    [{ ...logs[0], topics: ['0x1'] }],
    [{ ...logs[0], topics: null }],
    [{ ...logs[0], logIndex: null }],
    [{ ...logs[0], removed: true }],
  ];
  for (const each of wrong) if (read(each) !== undefined) expect(each).toBe('refused');
});

test('a bloom covers its own entries and shows missing ones', () => {
  const bits = new BloomBits();
  const wanted = readBloom(block.logsBloom) ?? emptyBloom();
  const bloom = emptyBloom();
  const values = block.logs.flatMap(({ address, topics }) => [address, ...topics]);
  for (const value of values) {
    expect(bits.has(wanted, value)).toBe(true);
    expect(coversBloom(bloom, wanted)).toBe(false);
    bits.add(bloom, value);
    if (values.slice(values.indexOf(value) + 1).every((later) => bits.has(bloom, later))) break;
  }
  expect(`0x${Buffer.from(bloom).toString('hex')}`).toBe(block.logsBloom);
  expect(coversBloom(bloom, wanted)).toBe(true);
});

test('a bloom of only ones, or of another length, proves nothing', () => {
  expect(readBloom(`0x${'f'.repeat(512)}`)).toBeUndefined();
  expect(readBloom('0x00')).toBeUndefined();
  expect(readBloom(undefined)).toBeUndefined();
  expect(isEmptyBloom(readBloom(bloomOf([])) ?? Buffer.from('1'))).toBe(true);
});

test('parameters that nodes accept are accepted; all others are -32602 (contract/subscriptions#kinds)', () => {
  const read = (given: unknown) =>
    readSubscriptionParams(given === undefined ? undefined : rangeOf(JSON.stringify(given)));
  const right = [
    ['newHeads'],
    ['newHeads', {}],
    ['newHeads', null],
    ['syncing'],
    ['newPendingTransactions', false],
    ['logs', {}],
  ];
  for (const each of right) expect(read(each)).toMatchObject({ kind: each[0] });
  const wrong = [
    ...[undefined, {}, [], ['blocks'], [5], [null], ['NewHeads'], ['logs'], ['logs', null], ['logs', 5]],
    ...[
      ['newHeads', true],
      ['newHeads', {}, {}],
      ['logs', {}, 1],
      ['newPendingTransactions', true],
      ['syncing', 'x'],
    ],
    ['logs', { address: 'x'.repeat(400_000) }],
    ['logs', { topics: Array(9_000).fill(null) }],
  ];
  for (const each of wrong) expect(read(each)).toMatchObject({ ok: false, code: -32602 });
});
