/** Signed transactions of the EVM family: `eth_sendRawTransaction`, identified by the Keccak-256 hash of their bytes (contract/transactions). */

import { rangeOf } from '@flowgate/bytes/byte-range';
import { decodeRawTransaction, maxHashedLength } from '@flowgate/chain/transactions/raw-transaction';
import { isJsonObject } from '@flowgate/json/json-object';
import { onlyOf, shortTextOf } from './given-texts.ts';
import { type SubmissionPhrases, submissionVerdict } from './submission-errors.ts';
import type { TransactionKind } from './transaction-kind.ts';

/** Messages of Geth, Erigon, Nethermind, Besu, Reth, OpenEthereum, Hardhat, Anvil, zkSync and sequencers. */
const phrases: SubmissionPhrases = {
  known: [
    ...[
      'already known',
      'alreadyknown',
      'known transaction',
      'already imported',
      'already_exists',
      'already in mempool',
      'already in the mempool',
    ],
    ...[
      'already in the pool',
      'already in pool',
      'already in the system',
      'transaction already exists',
      'already exists in',
      'already have transaction',
    ],
    ...['same hash was already', 'duplicate transaction', 'already been processed'],
  ],
  invalid: [
    ...[
      'chain id',
      'chainid',
      'invalid sender',
      'invalid signature',
      'transaction type not',
      'tx type not',
      'intrinsic gas',
      'initcode',
      'oversized',
      'rlp',
    ],
    ...['exceeds block gas limit', 'only replay-protected'],
  ],
};
const hashPattern = /0x[0-9a-f]{64}(?![0-9a-f])/g;

export const evmTransactions: TransactionKind = {
  method: 'eth_sendRawTransaction',
  read(params) {
    const given = onlyOf(params.text());
    const transaction = given === undefined ? undefined : decodeRawTransaction(given);
    if (transaction === undefined || transaction.hashedBytes > maxHashedLength) return undefined;
    let hash: string | undefined;
    const id = () => (hash ??= transaction.hash());
    const namesOther = (message: string) => {
      const named: readonly string[] = message.match(hashPattern) ?? [];
      return named.length > 0 && !named.includes(id());
    };
    return { id, verdict: (error) => submissionVerdict(error, phrases, namesOther) };
  },
  isId: (result, id) => shortTextOf(result)?.toLowerCase() === id,
  lookUp: (hash) => ({ method: 'eth_getTransactionByHash', params: rangeOf(`["${hash}"]`) }),
  isFound(result, hash) {
    const found: unknown = JSON.parse(result.text());
    return isJsonObject(found) && String(found['hash']).toLowerCase() === hash;
  },
};
