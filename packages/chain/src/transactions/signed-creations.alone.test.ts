import { expect, test } from 'bun:test';
import { takesMoreThan } from '@flowgate/testing/takes-more-than';
import { type Hex, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { maxCreationLength, maxCreations, mayCarryTransactions, signedCreations } from './signed-creations.ts';

const account = privateKeyToAccount(keccak256('0x01'));
const signed = (nonce: number, to?: Hex, data: Hex = '0x6001') =>
  account.signTransaction({
    type: 'eip1559',
    chainId: 1,
    nonce,
    gas: 21_000n,
    maxFeePerGas: 1n,
    data,
    ...(to && { to }),
  });
const [first, second, call] = await Promise.all([signed(1), signed(2), signed(3, account.address)]);
const hashesIn = (...params: unknown[]) => signedCreations(JSON.stringify(params)).map((each) => each.hash());

test('the methods that submit signed bytes may carry transactions, and those that only read do not', () => {
  const submitting = [
    ...['eth_sendRawTransaction', 'eth_sendRawTransactionSync', 'eth_sendRawTransactionConditional'],
    ...['eth_sendPrivateTransaction', 'eth_sendPrivateRawTransaction', 'eth_sendBundle', 'mev_sendBundle'],
    ...['klay_sendRawTransaction', 'kaia_sendRawTransaction', 'zks_sendRawTransactionWithDetailedOutput'],
    ...['realtime_sendRawTransaction', 'timeboost_sendExpressLaneTransaction', 'eth_SENDrawtransaction'],
  ];
  expect(submitting.filter((method) => !mayCarryTransactions(method))).toEqual([]);
  const reading = [
    'eth_call',
    'eth_estimateGas',
    'eth_getTransactionReceipt',
    'eth_blockNumber',
    'trace_rawTransaction',
  ];
  expect(reading.filter(mayCarryTransactions)).toEqual([]);
});

test('a transaction without `to` is found wherever a method carries it, once each; one with `to` is not', () => {
  expect(hashesIn(first)).toEqual([keccak256(first)]);
  expect(hashesIn(first, 5_000)).toEqual([keccak256(first)]);
  expect(hashesIn({ tx: second, maxBlockNumber: '0x1' })).toEqual([keccak256(second)]);
  expect(hashesIn({ txs: [first, call, second, first], blockNumber: '0x1' })).toEqual([
    keccak256(first),
    keccak256(second),
  ]);
  expect(
    hashesIn({ version: 'v0.1', body: [{ tx: first, canRevert: true }, { bundle: { body: [{ tx: second }] } }] }),
  ).toEqual([keccak256(first), keccak256(second)]);
  expect(signedCreations(JSON.stringify({ bytes: first })).map((each) => each.hash())).toEqual([keccak256(first)]);
  for (const other of [[call], [], ['0x'], [null], [7], [`${first}00`], [account.address]])
    expect(hashesIn(...other)).toEqual([]);
  const escaped = [...first].map((digit) => `\\u00${digit.charCodeAt(0).toString(16)}`).join('');
  expect(signedCreations(`["${escaped}"]`).map((each) => each.hash())).toEqual([keccak256(first)]);
});

test('a call makes no more records than its price covers: 4 transactions, of at most 128 KiB, regardless of their position', async () => {
  const many = await Promise.all(Array.from({ length: maxCreations + 4 }, (_, nonce) => signed(nonce)));
  expect(hashesIn({ txs: many })).toHaveLength(maxCreations);
  const long = (bytes: number) => signed(1, undefined, `0x${'60'.repeat(bytes)}`);
  expect(hashesIn(await long(maxCreationLength - 200))).toHaveLength(1);
  expect(hashesIn(await long(maxCreationLength))).toEqual([]);
  expect(hashesIn({ txs: [...Array.from({ length: 600 }, () => '0x'), first] })).toEqual([keccak256(first)]);
  const calls = (count: number) => Array.from({ length: count }, () => call);
  expect(hashesIn({ txs: [...calls(511), first] })).toEqual([keccak256(first)]);
  expect(hashesIn({ txs: [...calls(512), first] })).toEqual([]);
});

test('the search takes time in proportion to the length', () => {
  const texts: Readonly<Record<string, (size: number) => string>> = {
    'one text': (size) => JSON.stringify([`0x${'f9'.repeat(size)}`]),
    'many texts': (size) => JSON.stringify([Array.from({ length: size / 8 }, () => '0xf9ffff')]),
    'texts without an end': (size) => JSON.stringify([`${'f'.repeat(size)}g`, `${'f'.repeat(size)}g`]),
    escapes: (size) => `["${'\\u0030'.repeat(size / 8)}"]`,
    'many lists': (size) => JSON.stringify(Array.from({ length: size / 4 }, () => [[]])),
  };
  for (const [name, make] of Object.entries(texts)) {
    const [text, twice] = [make(60_000), make(120_000)];
    expect([
      name,
      takesMoreThan(
        3,
        () => signedCreations(twice),
        () => signedCreations(text),
        1,
      ),
    ]).toEqual([name, false]);
  }
});
