/**
 * The root of the trie by which a block's header commits to a list, such as its receipts (Yellow Paper, appendix D). The key of each value is the encoding of
 * its index.
 */

import { type Hex, toRlp } from 'viem';
import { keccak256InSteps } from '../keccak.ts';

type Bytes = Uint8Array;
type Entry = { readonly nibbles: string; readonly value: Bytes };
type Node = Bytes | Node[];

/** A parent contains shorter nodes themselves instead of their hash. */
const hashLength = 32;
const nothing = new Uint8Array(0);

/** `values`: the encoded entries. A generator, so that the caller can pause between steps. */
export function* orderedTrieRoot(values: readonly Bytes[]): Generator<undefined, Hex> {
  const entries = values.map((value, place) => ({ nibbles: keyOf(place), value }));
  const root = entries.length === 0 ? nothing : yield* nodeOf(entries, 0);
  return hexOf(yield* keccak256InSteps(encoded(root)));
}

/** The node for entries with equal keys up to `depth`. No key is a prefix of another key. */
function* nodeOf(entries: readonly Entry[], depth: number): Generator<undefined, Node> {
  const [first] = entries;
  if (first === undefined) return nothing;
  if (entries.length === 1) return [pathOf(first.nibbles.slice(depth), true), first.value];
  const end = commonEnd(entries, first, depth);
  if (end > depth)
    return [pathOf(first.nibbles.slice(depth, end), false), yield* reference(yield* nodeOf(entries, end))];
  const branches = Map.groupBy(entries, ({ nibbles }) => nibbles[depth]);
  const branch: Node[] = [];
  for (const nibble of '0123456789abcdef') {
    const below = branches.get(nibble);
    branch.push(below === undefined ? nothing : yield* reference(yield* nodeOf(below, depth + 1)));
    yield;
  }
  return [...branch, nothing];
}

function commonEnd(entries: readonly Entry[], first: Entry, depth: number): number {
  let end = depth;
  while (end < first.nibbles.length && entries.every(({ nibbles }) => nibbles[end] === first.nibbles[end])) end++;
  return end;
}

function* reference(node: Node): Generator<undefined, Node> {
  const bytes = encoded(node);
  return bytes.length < hashLength ? node : yield* keccak256InSteps(bytes);
}

/** From bytes to bytes: encoding by way of hexadecimal digits takes 50 ms per MiB. */
function encoded(node: Node): Bytes {
  return toRlp(node, 'bytes');
}

/** Nibbles with a prefix that encodes whether their number is odd and whether they end at a value. */
function pathOf(nibbles: string, isLeaf: boolean): Bytes {
  const flag = (isLeaf ? 2 : 0) + (nibbles.length % 2);
  return Buffer.from(`${flag}${nibbles.length % 2 === 0 ? '0' : ''}${nibbles}`, 'hex');
}

function keyOf(place: number): string {
  const digits = place === 0 ? '' : place.toString(16);
  return toRlp(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`).slice(2);
}

function hexOf(bytes: Bytes): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
