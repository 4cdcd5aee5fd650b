/** Reads the block that a call names from the bytes of its parameters (contract/heads#named-blocks). A form that a node may refuse, or that two nodes could read differently, is `unknown`. This file is long because it reads every form in which calls name a block. */

import type { BlockPlace, BlockTag } from '@flowgate/chain/families/block-places';
import type { LedgerFamily } from '@flowgate/chain/families/ledger-family';
import { backslash, openBrace, openBracket, quote } from '@flowgate/json/json-scan';
import { eachMember, elementAt, endOfValue } from '@flowgate/json/valid-json';
import type { NodeQuestion } from '../../upstream/port/node-port.ts';

export type TaggedBlock = { readonly kind: 'tag'; readonly tag: BlockTag };
export type BlockAtHeight = { readonly kind: 'height'; readonly height: number };
/** `hash`: `0x` and 64 lower-case digits. `mustBeCanonical`: the call is refused for a block that the chain has lost. */
export type BlockOfHash = { readonly kind: 'hash'; readonly hash: string; readonly mustBeCanonical: boolean };

export type NamedBlock =
  | TaggedBlock
  | BlockAtHeight
  | BlockOfHash
  /** Blocks from one to another, both included; `from` may be above `to`. */
  | {
      readonly kind: 'range';
      readonly from: TaggedBlock | BlockAtHeight;
      readonly to: TaggedBlock | BlockAtHeight;
    }
  /** The block that holds a transaction, if any. `hash` as that of a block. */
  | { readonly kind: 'transaction'; readonly hash: string }
  /** No parameter names a block, and the answer depends on the newest one. */
  | { readonly kind: 'head' }
  /** The answer depends on no block. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

const unknown: NamedBlock = { kind: 'unknown' };
const none: NamedBlock = { kind: 'none' };
const head: NamedBlock = { kind: 'head' };
const tagged: Readonly<Record<BlockTag, TaggedBlock>> = {
  latest: { kind: 'tag', tag: 'latest' },
  safe: { kind: 'tag', tag: 'safe' },
  finalized: { kind: 'tag', tag: 'finalized' },
  earliest: { kind: 'tag', tag: 'earliest' },
  pending: { kind: 'tag', tag: 'pending' },
};
/** The most frequent tag comes first. */
const tags = [tagged.latest, tagged.pending, tagged.finalized, tagged.safe, tagged.earliest].map((named) => ({
  named,
  text: Buffer.from(`"${named.tag}"`),
}));

const { latin1Slice } = Buffer.prototype;

/** The quotes and the prefix: `"0x` and `"`. */
const aroundDigits = 4;
const hashDigits = 64;
/** 2^53 has fourteen hexadecimal digits. */
const maxDigits = 14;

/** `params`: valid JSON, as in every decoded call. Takes time linear in their length, and allocates only the result. */
export function namedBlock(family: Pick<LedgerFamily, 'blocks'>, { method, params }: NodeQuestion): NamedBlock {
  const place = family.blocks?.get(method);
  if (place === undefined) return unknown;
  switch (place.by) {
    case 'nothing':
      return none;
    case 'head':
      return head;
    case 'pending':
      return tagged.pending;
    default:
      return params === undefined ? absent(place) : namedIn(place, params.bytes, params.start, params.end);
  }
}

type ReadPlace = Exclude<BlockPlace, { by: 'nothing' | 'head' | 'pending' }>;

function absent(place: ReadPlace): NamedBlock {
  return place.by === 'height' && place.ifAbsent !== undefined ? tagged[place.ifAbsent] : unknown;
}

function namedIn(place: ReadPlace, bytes: Uint8Array, start: number, end: number): NamedBlock {
  if (bytes[start] !== openBracket) return unknown;
  const at = elementAt(bytes, start, end, place.by === 'height' || place.by === 'hash' ? place.at : 0);
  if (at < 0) return absent(place);
  switch (place.by) {
    case 'height':
      return blockAt(place, bytes, at, end);
    case 'hash':
      return hashedBlock(bytes, at, endOfValue(bytes, at, end), false);
    case 'transaction': {
      const hash = hashIn(bytes, at, endOfValue(bytes, at, end));
      return hash === undefined ? unknown : { kind: 'transaction', hash };
    }
    case 'range':
      return rangeAt(place.ifAbsent, bytes, at, end);
  }
}

function blockAt(
  { orHash, ifAbsent }: Extract<BlockPlace, { by: 'height' }>,
  bytes: Uint8Array,
  at: number,
  end: number,
): NamedBlock {
  if (bytes[at] === openBrace) return orHash ? objectAt(bytes, at, end) : unknown;
  const valueEnd = endOfValue(bytes, at, end);
  if (isNull(bytes, at)) return ifAbsent === undefined ? unknown : tagged[ifAbsent];
  const named = heightOrTag(bytes, at, valueEnd);
  return named ?? (orHash ? hashedBlock(bytes, at, valueEnd, false) : unknown);
}

/** `null` is the only JSON value that begins with an n. */
function isNull(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x6e;
}

/** A tag, or a quantity of the execution API: `0x` and digits without a leading zero. A whole number that a double cannot represent is no quantity. */
function heightOrTag(bytes: Uint8Array, at: number, end: number): TaggedBlock | BlockAtHeight | undefined {
  if (bytes[at] !== quote) return undefined;
  if (bytes[at + 1] !== 0x30) return tagAt(bytes, at, end);
  const count = end - at - aroundDigits;
  if (bytes[at + 2] !== 0x78 || count < 1 || count > maxDigits) return undefined;
  if (bytes[at + 3] === 0x30 && count > 1) return undefined;
  let height = 0;
  for (let i = at + 3; i < end - 1; i++) {
    const digit = hexDigit(bytes[i] ?? 0);
    if (digit < 0) return undefined;
    height = height * 16 + digit;
  }
  return height > Number.MAX_SAFE_INTEGER ? undefined : { kind: 'height', height };
}

function tagAt(bytes: Uint8Array, at: number, end: number): TaggedBlock | undefined {
  const length = end - at;
  for (const { named, text } of tags) {
    if (text.length !== length) continue;
    let n = 1;
    while (n < length && bytes[at + n] === text[n]) n++;
    if (n === length) return named;
  }
  return undefined;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function hashedBlock(bytes: Uint8Array, at: number, end: number, mustBeCanonical: boolean): NamedBlock {
  const hash = hashIn(bytes, at, end);
  return hash === undefined ? unknown : { kind: 'hash', hash, mustBeCanonical };
}

function hashIn(bytes: Uint8Array, at: number, end: number): string | undefined {
  if (end - at !== hashDigits + aroundDigits || bytes[at] !== quote) return undefined;
  if (bytes[at + 1] !== 0x30 || bytes[at + 2] !== 0x78) return undefined;
  let isLower = true;
  for (let i = at + 3; i < end - 1; i++) {
    const byte = bytes[i] ?? 0;
    if (hexDigit(byte) < 0) return undefined;
    isLower &&= byte < 0x41 || byte > 0x46;
  }
  const hash = latin1Slice.call(bytes, at + 1, end - 1);
  return isLower ? hash : hash.toLowerCase();
}

/** For each of three known members of an object, where its value starts and ends: for member k at the indexes 2k (-1 when absent) and 2k + 1. */
type Spans = number[];

const eip1898 = ['blockNumber', 'blockHash', 'requireCanonical'].map((name) => Buffer.from(name));
const filter = ['fromBlock', 'toBlock', 'blockHash'].map((name) => Buffer.from(name));
const [first, second, third] = [0, 1, 2];

/**
 * Finds the members with these names. Undefined when two readers could understand the object differently: a name occurs twice, has escapes, or differs from one
 * of these only in letter case, which Go's parser ignores.
 */
function readMembers(bytes: Uint8Array, at: number, end: number, names: readonly Uint8Array[]): Spans | undefined {
  const spans = [-1, -1, -1, -1, -1, -1];
  const isClear = eachMember(bytes, at, end, (nameAt, nameEnd, valueAt, valueEnd) => {
    const k = knownName(bytes, nameAt + 1, nameEnd - 1, names);
    if (k === ambiguous) return false;
    if (k === other) return true;
    if (spans[2 * k] !== -1) return false;
    spans[2 * k] = valueAt;
    spans[2 * k + 1] = valueEnd;
    return true;
  });
  return isClear ? spans : undefined;
}

const other = -1;
const ambiguous = -2;

function knownName(bytes: Uint8Array, start: number, end: number, names: readonly Uint8Array[]): number {
  for (let i = start; i < end; i++) if (bytes[i] === backslash) return ambiguous;
  for (let k = 0; k < names.length; k++) {
    const name = names[k];
    if (name === undefined || name.length !== end - start) continue;
    let isExact = true;
    let n = 0;
    for (; n < name.length; n++) {
      const found = bytes[start + n] ?? 0;
      const wanted = name[n] ?? 0;
      if ((found | 0x20) !== (wanted | 0x20)) break;
      isExact &&= found === wanted;
    }
    if (n === name.length) return isExact ? k : ambiguous;
  }
  return other;
}

/** A member with the value null counts as absent. */
function hasMember(bytes: Uint8Array, spans: Spans, k: number): boolean {
  const at = spans[2 * k] ?? -1;
  return at >= 0 && !isNull(bytes, at);
}

const startOf = (spans: Spans, k: number): number => spans[2 * k] ?? 0;
const endOf = (spans: Spans, k: number): number => spans[2 * k + 1] ?? 0;

/** An object of EIP-1898. */
function objectAt(bytes: Uint8Array, at: number, end: number): NamedBlock {
  const spans = readMembers(bytes, at, end, eip1898);
  if (spans === undefined) return unknown;
  const hasHash = hasMember(bytes, spans, second);
  if (hasMember(bytes, spans, first))
    return hasHash ? unknown : (heightOrTag(bytes, startOf(spans, first), endOf(spans, first)) ?? unknown);
  if (!hasHash) return unknown;
  if (!hasMember(bytes, spans, third)) return hashedBlock(bytes, startOf(spans, second), endOf(spans, second), false);
  // In valid JSON only `true` begins with t.
  const said = bytes[startOf(spans, third)];
  return said === 0x74 || said === 0x66
    ? hashedBlock(bytes, startOf(spans, second), endOf(spans, second), said === 0x74)
    : unknown;
}

function rangeAt(ifAbsent: BlockTag | undefined, bytes: Uint8Array, at: number, end: number): NamedBlock {
  const spans = readMembers(bytes, at, end, filter);
  if (spans === undefined) return unknown;
  const hasEnd = hasMember(bytes, spans, first) || hasMember(bytes, spans, second);
  if (hasMember(bytes, spans, third))
    return hasEnd ? unknown : hashedBlock(bytes, startOf(spans, third), endOf(spans, third), false);
  const from = endIn(bytes, spans, first, ifAbsent);
  const to = endIn(bytes, spans, second, ifAbsent);
  return from === undefined || to === undefined ? unknown : { kind: 'range', from, to };
}

function endIn(
  bytes: Uint8Array,
  spans: Spans,
  k: number,
  ifAbsent: BlockTag | undefined,
): TaggedBlock | BlockAtHeight | undefined {
  if (hasMember(bytes, spans, k)) return heightOrTag(bytes, startOf(spans, k), endOf(spans, k));
  return ifAbsent === undefined ? undefined : tagged[ifAbsent];
}
