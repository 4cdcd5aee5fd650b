/** The root of the trie in which a block's header commits to a list, such as its receipts (Yellow Paper, appendix D): each value under the encoding of its place. */

import { type Hex, toRlp } from 'viem';

type Keccak = (bytes: Hex) => Hex;
type Entry = { readonly nibbles: string; readonly value: Hex };
type Node = Hex | Node[];

/** Shorter nodes stand in their parents themselves. */
const hashLength = 32;

/** `values`: as they are stored. In steps. */
export function* orderedTrieRoot(values: readonly Hex[], keccak: Keccak): Generator<undefined, Hex> {
  const entries = values.map((value, place) => ({ nibbles: keyOf(place), value }));
  return keccak(toRlp(entries.length === 0 ? '0x' : yield* nodeOf(entries, 0, keccak)));
}

/** Of entries that are alike up to `depth`. No key begins with another one. */
function* nodeOf(entries: readonly Entry[], depth: number, keccak: Keccak): Generator<undefined, Node> {
  const [first] = entries;
  if (first === undefined) return '0x';
  if (entries.length === 1) return [pathOf(first.nibbles.slice(depth), true), first.value];
  const end = commonEnd(entries, first, depth);
  if (end > depth)
    return [pathOf(first.nibbles.slice(depth, end), false), reference(yield* nodeOf(entries, end, keccak), keccak)];
  const branches = Map.groupBy(entries, ({ nibbles }) => nibbles[depth]);
  const branch: Node[] = [];
  for (const nibble of '0123456789abcdef') {
    const below = branches.get(nibble);
    branch.push(below === undefined ? '0x' : reference(yield* nodeOf(below, depth + 1, keccak), keccak));
    yield;
  }
  return [...branch, '0x'];
}

function commonEnd(entries: readonly Entry[], first: Entry, depth: number): number {
  let end = depth;
  while (end < first.nibbles.length && entries.every(({ nibbles }) => nibbles[end] === first.nibbles[end])) end++;
  return end;
}

function reference(node: Node, keccak: Keccak): Node {
  const encoded = toRlp(node);
  return (encoded.length - 2) / 2 < hashLength ? node : keccak(encoded);
}

/** Nibbles with a prefix that tells whether they are odd in number, and whether they end at a value. */
function pathOf(nibbles: string, isLeaf: boolean): Hex {
  const flag = (isLeaf ? 2 : 0) + (nibbles.length % 2);
  return `0x${flag}${nibbles.length % 2 === 0 ? '0' : ''}${nibbles}`;
}

function keyOf(place: number): string {
  const digits = place === 0 ? '' : place.toString(16);
  return toRlp(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`).slice(2);
}
