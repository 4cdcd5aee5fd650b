/** Finds seed phrases in a text by the word lists and the checksum of BIP-39. */

import { createHash } from 'node:crypto';
import { wordlist as czech } from '@scure/bip39/wordlists/czech';
import { wordlist as english } from '@scure/bip39/wordlists/english';
import { wordlist as french } from '@scure/bip39/wordlists/french';
import { wordlist as italian } from '@scure/bip39/wordlists/italian';
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese';
import { wordlist as korean } from '@scure/bip39/wordlists/korean';
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese';
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese';
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish';
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese';
import { once } from './once.ts';

const lists = [
  english,
  french,
  spanish,
  italian,
  portuguese,
  czech,
  japanese,
  korean,
  simplifiedChinese,
  traditionalChinese,
];

/** For each word its index in each list that has it, `list * 2048 + index`. */
const places = once((): ReadonlyMap<string, readonly number[]> => {
  const placesOf = new Map<string, readonly number[]>();
  for (const [nth, list] of lists.entries())
    for (const [index, word] of list.entries()) {
      const plain = word.normalize('NFKD');
      placesOf.set(plain, [...(placesOf.get(plain) ?? []), nth * 2048 + index]);
    }
  // Wallets accept the first four letters of an English word, which are unique.
  for (const [index, word] of english.entries())
    if (word.length > 4 && !placesOf.has(word.slice(0, 4))) placesOf.set(word.slice(0, 4), [index]);
  return placesOf;
});

const lengths = [12, 15, 18, 21, 24];

/** One in 16 random sequences of words has a correct checksum. No honest text has enough consecutive words of a list for this many attempts. */
const maxTries = 200;

/** Consecutive words of one list, up to the word with the number `last`. `repeats`: how often the last word is repeated at the end; one repeated word is not a phrase. */
type Run = { readonly indices: number[]; last: number; repeats: number };

/** Ignores numbers, punctuation and capitals between the words. Takes linear time. */
export function holdsSeedPhrase(text: string): boolean {
  const placesOf = places();
  const runs = lists.map((): Run => ({ indices: [], last: 0, repeats: 0 }));
  let tries = 0;
  let nth = 0;
  for (const [word] of text
    .normalize('NFKD')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .matchAll(/[\p{L}\p{M}]+/gu)) {
    nth++;
    for (const place of placesOf.get(word) ?? []) {
      const run = runs[place >> 11];
      if (run === undefined) continue;
      if (run.last !== nth - 1) run.indices.length = 0;
      run.last = nth;
      run.repeats = run.indices.at(-1) === (place & 2047) ? run.repeats + 1 : 1;
      run.indices.push(place & 2047);
      for (const length of lengths) {
        if (run.indices.length < length) break;
        if (run.repeats >= length) continue;
        if (++tries > maxTries || hasChecksum(run.indices.slice(-length))) return true;
      }
    }
  }
  return false;
}

/** The last bits of a phrase are the first bits of the hash of the others. */
function hasChecksum(indices: readonly number[]): boolean {
  let bits = 0n;
  for (const index of indices) bits = (bits << 11n) | BigInt(index);
  const sumBits = BigInt(indices.length / 3);
  const entropy = (bits >> sumBits).toString(16).padStart((indices.length * 8) / 3, '0');
  const [first = 0] = createHash('sha256').update(Buffer.from(entropy, 'hex')).digest();
  return BigInt(first) >> (8n - sumBits) === (bits & ((1n << sumBits) - 1n));
}
