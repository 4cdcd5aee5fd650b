/** How each family's transactions are identified, and how nodes' errors are classified (contract/transactions). */

import { describe, expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { base58Of } from '@flowgate/chain/base58';
import { ledgerFamilies } from '@flowgate/chain/families/ledger-families';
import { takesMoreThan } from '@flowgate/testing/takes-more-than';
import fc from 'fast-check';
import { bitcoinTransactions } from './bitcoin-transactions.ts';
import { evmTransactions } from './evm-transactions.ts';
import { solanaTransactions } from './solana-transactions.ts';
import type { TransactionKind } from './transaction-kind.ts';
import { transactionKinds } from './transaction-kinds.ts';

const read = (kind: TransactionKind, ...params: readonly unknown[]) => kind.read(rangeOf(JSON.stringify(params)));
const idOf = (kind: TransactionKind, ...params: readonly unknown[]) => read(kind, ...params)?.id();

test('the method that submits is not a read; the method that looks up is a read', () => {
  for (const [name, kind] of Object.entries(transactionKinds)) {
    const { reads } = ledgerFamilies[name === 'solana' ? 'solana' : name === 'bitcoin' ? 'bitcoin' : 'evm'];
    expect([name, reads.has(kind.method), reads.has(kind.lookUp('00').method)]).toEqual([name, false, true]);
  }
});

describe('bitcoin', () => {
  // The first payment on the chain, in block 170.
  const body = {
    inputs:
      '01c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff',
    outputs:
      '0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac',
  };
  const raw = `01000000${body.inputs}${body.outputs}00000000`;
  const txid = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16';
  const witnessed = `010000000001${body.inputs}${body.outputs}0203abcdef010000000000`;

  test('a transaction is identified by its txid, which does not depend on its witnesses (BIP 141)', () => {
    expect(idOf(bitcoinTransactions, raw)).toBe(txid);
    expect(idOf(bitcoinTransactions, raw.toUpperCase(), 0.1)).toBe(txid);
    expect(idOf(bitcoinTransactions, witnessed)).toBe(txid);
  });

  test('incomplete transactions and other data are not read as a transaction', () => {
    for (const text of [
      '',
      '00',
      'zz',
      raw.slice(2),
      raw.slice(0, -2),
      `${raw}00`,
      witnessed.slice(0, -2),
      `${witnessed}00`,
      'ff'.repeat(100),
    ])
      expect([text, read(bitcoinTransactions, text)]).toEqual([text, undefined]);
    for (const params of [[], [1], [[raw]]]) expect(read(bitcoinTransactions, ...params)).toBeUndefined();
    expect(bitcoinTransactions.read(rangeOf(`{"hexstring":"${raw}"}`))).toBeUndefined();
  });

  test('reading takes time linear in the length of the input', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        (bytes) => void read(bitcoinTransactions, Buffer.from(bytes).toString('hex')),
      ),
    );
    // The largest number of witnesses that fits.
    const many = (length: number) => `01000000fe00ffffff${'00'.repeat(length)}`;
    const [one, four] = [many(200_000), many(800_000)];
    expect(
      takesMoreThan(
        8,
        () => read(bitcoinTransactions, four),
        () => read(bitcoinTransactions, one),
        1,
      ),
    ).toBe(false);
  });

  test('a transaction is known when the node reports it in the chain or the mempool, and found when the node returns it', () => {
    const verdict = (code: number, message: string) =>
      read(bitcoinTransactions, raw)?.verdict(rangeOf(JSON.stringify({ code, message })));
    expect(verdict(-27, 'Transaction already in block chain')).toBe('known');
    expect(verdict(-27, 'Transaction outputs already in utxo set')).toBe('known');
    expect(verdict(-25, 'txn-already-in-mempool')).toBe('known');
    expect(verdict(-25, 'bad-txns-inputs-missingorspent')).toBe('refused');
    expect(verdict(-26, 'min relay fee not met, 100 < 200')).toBe('refused');
    expect(verdict(-26, 'mempool full')).toBe('not-taken');
    expect(verdict(-28, 'Loading block index...')).toBe('not-taken');
    expect(verdict(-22, 'TX decode failed. Make sure the tx has at least one input.')).toBe('invalid');
    expect(bitcoinTransactions.isFound(rangeOf(`"${raw}"`), txid)).toBe(true);
    expect(bitcoinTransactions.isFound(rangeOf('null'), txid)).toBe(false);
    for (const [answer, isOwn] of [
      [`"${txid}"`, true],
      [`"${txid.toUpperCase()}"`, true],
      [`"${'ab'.repeat(32)}"`, false],
      ['null', false],
    ] as const)
      expect([answer, bitcoinTransactions.isId(rangeOf(answer), txid)]).toEqual([answer, isOwn]);
  });
});

describe('solana', () => {
  const signature = Uint8Array.from({ length: 64 }, (_, at) => at + 1);
  const bytes = Buffer.concat([new Uint8Array([1]), signature, Buffer.from('a message')]);
  const id = base58Of(signature);

  test('a transaction is identified by its first signature, in both encodings', () => {
    expect(idOf(solanaTransactions, base58Of(bytes))).toBe(id);
    expect(idOf(solanaTransactions, base58Of(bytes), { skipPreflight: true })).toBe(id);
    expect(idOf(solanaTransactions, bytes.toString('base64'), { encoding: 'base64' })).toBe(id);
  });

  test('other data is not read as a transaction', () => {
    const short = bytes.subarray(0, 64);
    const none = Buffer.concat([new Uint8Array([0]), bytes.subarray(1)]);
    for (const params of [
      [],
      [1],
      ['0'],
      [base58Of(short)],
      [base58Of(none)],
      [base58Of(bytes), { encoding: 'hex' }],
      ['1'.repeat(1_701)],
    ])
      expect(read(solanaTransactions, ...params)).toBeUndefined();
    expect(
      read(solanaTransactions, Buffer.concat([bytes, new Uint8Array(1_200)]).toString('base64'), {
        encoding: 'base64',
      }),
    ).toBeUndefined();
  });

  test('a transaction is known when it was already processed, and found when the node returns a status', () => {
    const verdict = (code: number, message: string) =>
      read(solanaTransactions, base58Of(bytes))?.verdict(rangeOf(JSON.stringify({ code, message })));
    expect(verdict(-32002, 'Transaction simulation failed: This transaction has already been processed')).toBe('known');
    expect(verdict(-32002, 'Transaction simulation failed: Blockhash not found')).toBe('refused');
    expect(verdict(-32005, 'Node is behind by 42 slots')).toBe('not-taken');
    expect(verdict(-32003, 'Transaction signature verification failure')).toBe('invalid');
    expect(solanaTransactions.lookUp(id).params.text()).toBe(`[["${id}"],{"searchTransactionHistory":true}]`);
    expect(solanaTransactions.isFound(rangeOf('{"context":{"slot":1},"value":[{"slot":1,"err":null}]}'), id)).toBe(
      true,
    );
    expect(solanaTransactions.isFound(rangeOf('{"context":{"slot":1},"value":[null]}'), id)).toBe(false);
    for (const [answer, isOwn] of [
      [`"${id}"`, true],
      [`"${id.toLowerCase()}"`, false],
      [`"${id}1"`, false],
      [`["${id}"]`, false],
    ] as const)
      expect([answer, solanaTransactions.isId(rangeOf(answer), id)]).toEqual([answer, isOwn]);
  });
});

test('an EVM transaction that is too long for any node is not hashed', () => {
  const long = `0xf8${'00'.repeat(140_000)}`;
  expect(read(evmTransactions, long)).toBeUndefined();
});
