/** The fields of each type of transaction, in their order, up to the signature (EIP-155, 2930, 1559, 4844, 7702). */

import type { RlpCursor } from './rlp.ts';

/** `to?`: may be empty, if the transaction creates a contract. */
export type TransactionField =
  | 'chainId'
  | 'nonce'
  | 'gas'
  | 'amount'
  | 'to?'
  | 'to'
  | 'data'
  | 'accessList'
  | 'blobHashes'
  | 'authorizations';

const legacyFields: readonly TransactionField[] = ['nonce', 'amount', 'gas', 'to?', 'amount', 'data'];
const feeMarket: readonly TransactionField[] = ['chainId', 'nonce', 'amount', 'amount', 'gas'];

/** By type. Transactions with blobs and those that set code cannot create contracts. */
export const transactionFields: readonly (readonly TransactionField[])[] = [
  legacyFields,
  ['chainId', ...legacyFields, 'accessList'],
  [...feeMarket, 'to?', 'amount', 'data', 'accessList'],
  [...feeMarket, 'to', 'amount', 'data', 'accessList', 'amount', 'blobHashes'],
  [...feeMarket, 'to', 'amount', 'data', 'accessList', 'authorizations'],
];

/** Whether the next item is a list of addresses, each with a list of storage keys (EIP-2930). */
export function skipAccessList(cursor: RlpCursor): boolean {
  return skipList(cursor, (entries) => {
    const entry = entries.nextList();
    return entry?.nextBytesOf(20) === true && skipList(entry, (keys) => keys.nextBytesOf(32)) && entry.isAtEnd;
  });
}

/** Whether the next item is a list of hashes (EIP-4844). */
export function skipBlobHashes(cursor: RlpCursor): boolean {
  return skipList(cursor, (hashes) => hashes.nextBytesOf(32));
}

/** Whether the next item is a list of authorizations, at least one: chain id, address, nonce, y parity, r, s (EIP-7702). */
export function skipAuthorizations(cursor: RlpCursor): boolean {
  const isRead = skipList(cursor, (authorizations) => {
    const one = authorizations.nextList();
    return one !== undefined && isAuthorization(one);
  });
  return isRead && cursor.length > 0;
}

function isAuthorization(cursor: RlpCursor): boolean {
  const isRead = cursor.nextInteger(32) && cursor.nextBytesOf(20) && cursor.nextInteger(8) && cursor.nextInteger(1);
  return isRead && cursor.nextInteger(32) && cursor.nextInteger(32) && cursor.isAtEnd;
}

const blobBytes = 131_072;
const proofBytes = 48;
/** Proofs of a blob, one for each of its cells (EIP-7594). */
const cellsOfBlob = 128;

/** Whether the rest after the transaction is exactly blobs, commitments and proofs, of version 0 (EIP-4844) or 1 (EIP-7594), which begins with its number. */
export function isBlobSidecar(cursor: RlpCursor): boolean {
  if (!cursor.next()) return false;
  const version = cursor.isList ? 0 : cursor.length === 1 && cursor.content[0] === 1 ? 1 : undefined;
  if (version === undefined || (version === 1 && !cursor.next())) return false;
  const blobs = countPresent(cursor, blobBytes);
  const commitments = cursor.next() ? countPresent(cursor, proofBytes) : undefined;
  const proofs = cursor.next() ? countPresent(cursor, proofBytes) : undefined;
  return (
    blobs !== undefined &&
    blobs === commitments &&
    proofs === (version === 1 ? blobs * cellsOfBlob : blobs) &&
    cursor.isAtEnd
  );
}

/** The number of items in the current item, a list of byte strings of `length` bytes; undefined if it contains anything else. */
function countPresent(cursor: RlpCursor, length: number): number | undefined {
  const items = cursor.presentList();
  if (items === undefined) return undefined;
  let count = 0;
  for (; !items.isAtEnd; count++) if (!items.nextBytesOf(length)) return undefined;
  return count;
}

function skipList(cursor: RlpCursor, skipOne: (items: RlpCursor) => boolean): boolean {
  const items = cursor.nextList();
  if (items === undefined) return false;
  while (!items.isAtEnd) if (!skipOne(items)) return false;
  return true;
}
