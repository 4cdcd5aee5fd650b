/** Finds marked secrets in texts, in every spelling, in time linear in the text's length regardless of the secrets. */

import {
  createTextHasher,
  hashAt,
  type MarkKey,
  parseMark,
  type SecretMark,
  type SecretScan,
  type TextHasher,
  windowOf,
} from './secret-mark.ts';
import { type Spelling, spellingsOf } from './secret-spellings.ts';

/** The marks of one key whose windows have the same length, found by the hash of the head and then of the tail. */
type Group = {
  readonly window: number;
  readonly isContained: boolean;
  /** A sieve: whether a hash with these upper bits can be that of a head or of a tail. It avoids a map look-up for most positions of a text. */
  readonly heads: Uint8Array;
  readonly tails: Uint8Array;
  /** By head: the lengths of the secrets that begin with it. They are few, since a window covers more than half of its secret. */
  readonly lengths: ReadonlyMap<number, readonly number[]>;
  /** By head, tail and length. */
  readonly marks: ReadonlyMap<string, SecretMark>;
};

/** Leaves the upper 12 of 32 bits. */
const sieveShift = 20;
const sieveSize = 4_096;

/** One spelling of a text, with the sums that hash its windows. */
type View = { readonly bytes: Uint8Array; readonly sums: Uint32Array; readonly hasher: TextHasher };

type Search = { readonly hasher: TextHasher; readonly groups: readonly Group[] };

/** Returns a function that decides whether a text contains a secret; `undefined` if there is no secret to search for. */
export function createMarkSearch({ keys, marks }: SecretScan): ((text: string) => boolean) | undefined {
  const parsed = marks.flatMap((mark) => parseMark(mark) ?? []);
  const searches = keys.flatMap((key) => searchOf(key, parsed));
  if (searches.length === 0) return undefined;
  const min = Math.min(...parsed.filter(({ isContained }) => isContained).map(({ length }) => length));
  return (text) => {
    for (const spelling of spellingsOf(text, min))
      for (const { hasher, groups } of searches) if (holdsAny(spelling, hasher, groups)) return true;
    return false;
  };
}

function searchOf(key: MarkKey, all: readonly SecretMark[]): readonly Search[] {
  const own = all.filter(({ keyId }) => keyId === key.keyId);
  if (own.length === 0) return [];
  const byWindow = Map.groupBy(own, (mark) => `${mark.isContained} ${windowOf(mark)}`);
  return [{ hasher: createTextHasher(key), groups: [...byWindow.values()].flatMap(groupOf) }];
}

function groupOf(marks: readonly SecretMark[]): readonly Group[] {
  const [first] = marks;
  if (first === undefined) return [];
  const [heads, tails] = [new Uint8Array(sieveSize), new Uint8Array(sieveSize)];
  for (const { head, tail } of marks) [heads[head >>> sieveShift], tails[tail >>> sieveShift]] = [1, 1];
  const byHead = Map.groupBy(marks, ({ head }) => head);
  return [
    {
      window: windowOf(first),
      isContained: first.isContained,
      heads,
      tails,
      lengths: new Map([...byHead].map(([head, own]) => [head, [...new Set(own.map(({ length }) => length))]])),
      marks: new Map(marks.map((mark) => [placeOf(mark.head, mark.tail, mark.length), mark])),
    },
  ];
}

function placeOf(head: number, tail: number, length: number): string {
  return `${head} ${tail} ${length}`;
}

function holdsAny({ bytes, isWhole }: Spelling, hasher: TextHasher, groups: readonly Group[]): boolean {
  const fitting = groups.filter(({ window, isContained }) =>
    isContained ? window <= bytes.length : isWhole && window === bytes.length,
  );
  if (fitting.length === 0) return false;
  const view = { bytes, hasher, sums: hasher.sums(bytes) };
  return fitting.some((group) => holds(view, group));
}

function holds(view: View, group: Group): boolean {
  const { bytes, sums, hasher } = view;
  const { window, heads } = group;
  const power = hasher.powers[window] ?? 0;
  const last = bytes.length - window;
  for (let at = 0; at <= last; at++) {
    const head = hashAt(sums, at, window, power);
    if (heads[head >>> sieveShift] === 1 && isSecretAt(view, group, at, head)) return true;
  }
  return false;
}

function isSecretAt({ bytes, sums, hasher }: View, group: Group, at: number, head: number): boolean {
  const { window, tails, lengths, marks } = group;
  const power = hasher.powers[window] ?? 0;
  for (const length of lengths.get(head) ?? []) {
    if (at + length > bytes.length) continue;
    const tail = hashAt(sums, at + length - window, window, power);
    if (tails[tail >>> sieveShift] === 0) continue;
    const mark = marks.get(placeOf(head, tail, length));
    if (mark !== undefined && hasher.digest(bytes.subarray(at, at + length)) === mark.digest) return true;
  }
  return false;
}
