/** The known words around a word in its sentence, nearest first. */

import type { KnownWord } from './known-words.ts';

/** Known words on one side, with at most `most` unknown words in between. */
function nearby(words: readonly KnownWord[], at: number, most: number, step: 1 | -1): readonly KnownWord[] {
  const from = words[at];
  const found: KnownWord[] = [];
  if (from === undefined) return found;
  for (let index = at + step; ; index += step) {
    const word = words[index];
    if (word === undefined || word.sentence !== from.sentence) return found;
    const gap = step < 0 ? from.first - word.last - 1 : word.first - from.last - 1;
    if (gap > most) return found;
    found.push(word);
  }
}

export const before = (words: readonly KnownWord[], at: number, most: number): readonly KnownWord[] =>
  nearby(words, at, most, -1);

export const after = (words: readonly KnownWord[], at: number, most: number): readonly KnownWord[] =>
  nearby(words, at, most, 1);

/** The number of words between two words, in either order. */
export const distance = (one: KnownWord, other: KnownWord): number =>
  one.first < other.first ? other.first - one.last - 1 : one.first - other.last - 1;
