/**
 * Signed transactions as callers send them: legacy, EIP-2930, 1559, 4844 and 7702. Decoding is strict, so that no node can read another transaction from the
 * same bytes (docs/decisions/0079).
 */

import { isCanonicalSignature, type RecoverableSignature } from '../canonical-signature.ts';
import { keccak256 } from '../keccak.ts';
import { hexOf, RlpCursor, rlpInteger, rlpList } from './rlp.ts';
import {
  isBlobSidecar,
  skipAccessList,
  skipAuthorizations,
  skipBlobHashes,
  type TransactionField,
  transactionFields,
} from './transaction-forms.ts';

export type RawTransaction = {
  /** 0: legacy, 1: with an access list, 2: with a priority fee, 3: with blobs, 4: sets code. */
  readonly type: 0 | 1 | 2 | 3 | 4;
  /** Undefined for a legacy transaction that is valid on every chain (before EIP-155). */
  readonly chainId?: bigint;
  readonly nonce: bigint;
  /** `0x` and 40 digits in lower case. Absent in a transaction that creates a contract. */
  readonly to?: string;
  /** The input of the contract, or the init code. A view into the decoded bytes. */
  readonly data: Uint8Array;
  /** The first four bytes of `data`, `0x` and 8 digits in lower case. Absent if `data` is shorter, and in a transaction that creates a contract. */
  readonly selector?: string;
  /** The number of bytes that the hash covers. A blob transaction's blobs are not included. */
  readonly hashedBytes: number;
  /** The transaction's hash, `0x` and 64 digits in lower case. Computed at each call: 55 µs for each KiB. */
  readonly hash: () => string;
  /**
   * The signer's address, `0x` and 40 digits in lower case; undefined if no key can have made the signature. Computed at each call: the time of `hash` and 0.7
   * ms. `recover` is `@flowgate/chain/recover-address`, which callers load when they first need it.
   */
  readonly sender: (recover: RecoverAddress) => string | undefined;
};

type RecoverAddress = (digest: Uint8Array, signature: RecoverableSignature) => string | undefined;

/** Geth's limit for a transaction without blobs: no node accepts a longer one. */
export const maxHashedLength = 131_072;

const rawPattern = /^(?:0[xX])?[0-9a-fA-F]+$/;
const highestChainId = (1n << 64n) - 1n;
/** EIP-2681: the highest nonce of an account cannot be used. */
const highestNonce = (1n << 64n) - 2n;

/**
 * Decodes the parameter of `eth_sendRawTransaction`: hexadecimal digits of either case, after `0x` or, as some nodes allow, no prefix. Undefined unless the
 * text is exactly one valid transaction in its only encoding. Refused are bytes that Geth cannot decode, transactions that Geth decodes but never accepts (a
 * high `s`, EIP-2; no authorization in type 4), and unknown types. Takes time in proportion to the length, and never throws.
 */
export function decodeRawTransaction(hex: string): RawTransaction | undefined {
  if (hex.length % 2 !== 0 || !rawPattern.test(hex)) return undefined;
  const hasPrefix = hex[1] === 'x' || hex[1] === 'X';
  const bytes = Buffer.from(hasPrefix ? hex.slice(2) : hex, 'hex');
  const [first] = bytes;
  if (first === undefined) return undefined;
  if (first >= 0xc0) return decode(bytes, 0, 0);
  return isTyped(first) ? decode(bytes, first, 1) : undefined;
}

/**
 * The position of a transaction's fields, and of its own encoding in `bytes`. A blob transaction is sent in a list with its blobs, which are not part of the
 * transaction.
 */
type Envelope = { readonly fields: RlpCursor; readonly start: number; readonly end: number };

type TransactionType = RawTransaction['type'];

function isTyped(first: number): first is 1 | 2 | 3 | 4 {
  return first >= 1 && first <= 4;
}

function decode(bytes: Uint8Array, type: TransactionType, start: number): RawTransaction | undefined {
  const envelope = envelopeOf(bytes, type, start);
  if (envelope === undefined) return undefined;
  const { fields } = envelope;
  const firstField = fields.at;
  const read = readFields(fields, type);
  if (read === undefined) return undefined;
  const lastField = fields.at;
  const signed = readSignature(fields, type);
  if (signed === undefined || !fields.isAtEnd || !isCanonicalSignature(signed.signature)) return undefined;
  const chainId = read.chainId ?? signed.chainId;
  const head = type === 0 ? [] : [type];
  const { to, data } = read;
  return {
    type,
    ...(chainId === undefined ? {} : { chainId }),
    nonce: read.nonce,
    ...(to === undefined ? {} : { to }),
    data,
    ...(to === undefined || data.length < 4 ? {} : { selector: `0x${hexOf(data.subarray(0, 4))}` }),
    hashedBytes: envelope.end - envelope.start,
    hash: () => {
      const encoded = bytes.subarray(envelope.start, envelope.end);
      return `0x${hexOf(keccak256(type === 3 ? Buffer.concat([Uint8Array.from(head), encoded]) : bytes))}`;
    },
    sender(recover) {
      const items: Uint8Array[] = [bytes.subarray(firstField, lastField)];
      // EIP-155: the signed list ends with the chain id and two zeros in place of the signature.
      if (type === 0 && chainId !== undefined) items.push(rlpInteger(chainId), rlpInteger(0n), rlpInteger(0n));
      return recover(keccak256(rlpList(items, head)), signed.signature);
    },
  };
}

function envelopeOf(bytes: Uint8Array, type: TransactionType, start: number): Envelope | undefined {
  const outer = new RlpCursor(bytes, start, bytes.length);
  const fields = outer.nextList();
  if (fields === undefined || !outer.isAtEnd) return undefined;
  const isWrapped = type === 3 && (bytes[outer.contentAt] ?? 0) >= 0xc0;
  if (!isWrapped) return { fields, start, end: bytes.length };
  const inner = fields.nextList();
  if (inner === undefined) return undefined;
  const { itemAt, contentEnd } = fields;
  return isBlobSidecar(fields) ? { fields: inner, start: itemAt, end: contentEnd } : undefined;
}

type Fields = { chainId?: bigint; nonce: bigint; to?: string; data: Uint8Array };

/** Reads the fields before the signature. */
function readFields(cursor: RlpCursor, type: TransactionType): Fields | undefined {
  const fields: Fields = { nonce: 0n, data: cursor.bytes };
  for (const field of transactionFields[type] ?? []) if (!readField[field](cursor, fields)) return undefined;
  return fields.nonce > highestNonce || (fields.chainId ?? 0n) > highestChainId ? undefined : fields;
}

const readField: Readonly<Record<TransactionField, (cursor: RlpCursor, fields: Fields) => boolean>> = {
  chainId(cursor, fields) {
    if (!cursor.nextInteger(8)) return false;
    fields.chainId = cursor.integer;
    return true;
  },
  nonce(cursor, fields) {
    if (!cursor.nextInteger(8)) return false;
    fields.nonce = cursor.integer;
    return true;
  },
  gas: (cursor) => cursor.nextInteger(8),
  amount: (cursor) => cursor.nextInteger(32),
  'to?'(cursor, fields) {
    if (!cursor.nextBytes()) return false;
    if (cursor.length === 0) return true;
    fields.to = `0x${cursor.hex}`;
    return cursor.length === 20;
  },
  to(cursor, fields) {
    if (!cursor.nextBytesOf(20)) return false;
    fields.to = `0x${cursor.hex}`;
    return true;
  },
  data(cursor, fields) {
    if (!cursor.nextBytes()) return false;
    fields.data = cursor.content;
    return true;
  },
  accessList: skipAccessList,
  blobHashes: skipBlobHashes,
  authorizations: skipAuthorizations,
};

type Signed = { readonly signature: RecoverableSignature; readonly chainId?: bigint };

function readSignature(cursor: RlpCursor, type: TransactionType): Signed | undefined {
  // The highest `v` is 2 * 2^64 + 34.
  if (!cursor.nextInteger(type === 0 ? 9 : 1)) return undefined;
  const reported = type === 0 ? legacyParity(cursor.integer) : typedParity(cursor);
  const rs = new Uint8Array(64);
  if (reported === undefined || !cursor.nextInteger(32)) return undefined;
  cursor.writeInteger(rs, 32);
  if (!cursor.nextInteger(32)) return undefined;
  cursor.writeInteger(rs, 64);
  return { ...reported, signature: { rs, yParity: reported.yParity } };
}

function typedParity({ length, bytes, contentAt }: RlpCursor): { readonly yParity: 0 | 1 } | undefined {
  if (length === 0) return { yParity: 0 };
  return bytes[contentAt] === 1 ? { yParity: 1 } : undefined;
}

/** `v` is 27 or 28 before EIP-155; since then it is 35 or 36 plus twice the chain id. No chain has the id 0, so 35 and 36 are invalid. */
function legacyParity(v: bigint): { readonly yParity: 0 | 1; readonly chainId?: bigint } | undefined {
  if (v === 27n || v === 28n) return { yParity: parityOf(v - 27n) };
  if (v < 37n) return undefined;
  const chainId = (v - 35n) / 2n;
  return chainId > highestChainId ? undefined : { yParity: parityOf((v - 35n) % 2n), chainId };
}

function parityOf(bit: bigint): 0 | 1 {
  return bit === 0n ? 0 : 1;
}
