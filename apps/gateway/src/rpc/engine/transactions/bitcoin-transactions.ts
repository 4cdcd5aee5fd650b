/** Transactions of the Bitcoin family: `sendrawtransaction`, identified by their txid (contract/transactions). */

import { createHash } from 'node:crypto';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { firstOf, shortTextOf } from './given-texts.ts';
import { type SubmissionPhrases, submissionVerdict } from './submission-errors.ts';
import type { TransactionKind } from './transaction-kind.ts';

/**
 * Messages of Bitcoin Core. It returns -27 for a transaction that is already in the chain. Since 0.19 it sends a
 * transaction in the mempool again and returns its id.
 */
const phrases: SubmissionPhrases = {
  known: [
    'already in block chain',
    'already in utxo set',
    'txn-already-known',
    'txn-already-in-mempool',
    'txn-same-nonwitness',
  ],
  invalid: [
    'decode failed',
    'mandatory-script-verify-flag',
    'bad-txns-vin-empty',
    'bad-txns-vout-empty',
    'bad-txns-in-belowout',
  ],
};
/**
 * The maximum weight of a block. A transaction without its witnesses is at most a quarter as long, with witnesses at
 * most as long.
 */
const maxBytes = 4_000_000;

export const bitcoinTransactions: TransactionKind = {
  method: 'sendrawtransaction',
  read(params) {
    const given = firstOf(params.text());
    if (given === undefined || given.length > 2 * maxBytes || !/^(?:[0-9a-fA-F]{2})+$/.test(given)) return undefined;
    const bytes = Buffer.from(given, 'hex');
    const parts = withoutWitnesses(bytes);
    if (parts === undefined) return undefined;
    let txid: string | undefined;
    const id = () => (txid ??= txidOf(parts));
    return { id, verdict: (error) => submissionVerdict(error, phrases, () => false) };
  },
  isId: (result, id) => shortTextOf(result)?.toLowerCase() === id,
  lookUp: (txid) => ({ method: 'getrawtransaction', params: rangeOf(`["${txid}"]`) }),
  isFound: (result) => result.length > 2 && result.text().startsWith('"'),
};

function txidOf(parts: readonly Uint8Array[]): string {
  const first = createHash('sha256');
  for (const part of parts) first.update(part);
  return createHash('sha256').update(first.digest()).digest().reverse().toString('hex');
}

const versionBytes = 4;
const lockTimeBytes = 4;

/**
 * The parts that the txid is computed from (BIP 144): version, inputs and outputs, lock time. Undefined unless the
 * bytes are one complete transaction.
 */
function withoutWitnesses(bytes: Buffer): readonly Uint8Array[] | undefined {
  const hasWitnesses = bytes[versionBytes] === 0 && bytes[versionBytes + 1] === 1;
  const start = hasWitnesses ? versionBytes + 2 : versionBytes;
  const cursor = new Cursor(bytes, start);
  const inputs = cursor.count();
  for (let nth = 0; nth < inputs && !cursor.isOver; nth++) cursor.skip(36).skipText().skip(4);
  const outputs = cursor.count();
  for (let nth = 0; nth < outputs && !cursor.isOver; nth++) cursor.skip(8).skipText();
  const end = cursor.at;
  for (let nth = 0; hasWitnesses && nth < inputs && !cursor.isOver; nth++) {
    const items = cursor.count();
    for (let item = 0; item < items && !cursor.isOver; item++) cursor.skipText();
  }
  if (cursor.isOver || inputs === 0 || cursor.at + lockTimeBytes !== bytes.length) return undefined;
  return [bytes.subarray(0, versionBytes), bytes.subarray(start, end), bytes.subarray(cursor.at)];
}

/** Reads the fields of a transaction. Every step advances, so even a forged count ends at the end of the bytes. */
class Cursor {
  constructor(
    private readonly bytes: Buffer,
    public at: number,
  ) {}

  get isOver(): boolean {
    return this.at > this.bytes.length;
  }

  skip(count: number): this {
    this.at += count;
    return this;
  }

  /** Reads a CompactSize. Returns 0 beyond the end of the bytes. */
  count(): number {
    const { bytes, at } = this;
    const first = bytes[at] ?? 0;
    const width = first < 0xfd ? 0 : first === 0xfd ? 2 : first === 0xfe ? 4 : 8;
    this.at += 1 + width;
    if (width === 0 || this.isOver) return width === 0 ? first : 0;
    // A count that needs eight bytes is larger than any transaction.
    return width === 8 ? bytes.length + 1 : bytes.readUIntLE(at + 1, width);
  }

  skipText(): this {
    return this.skip(this.count());
  }
}
