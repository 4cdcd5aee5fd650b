/** One text as the filter's rules read it: as it came, in its compatibility form, and in plain words behind which no spelling trick hides. */

import { undoReferences } from './character-references.ts';
import { type KnownWords, knownWords } from './known-words.ts';
import { withLatinLetters } from './letter-tables.ts';
import { inCyrillic, inLatin, plainWords } from './plain-words.ts';

export type TextReading = {
  readonly raw: string;
  readonly isAscii: boolean;
  /** NFKC: full-width and other presentation forms are the letters they show. */
  readonly normal: string;
  /** `normal` in small letters, with soft punctuation turned into blanks and letters put together that were spaced out. */
  readonly words: string;
  /** `words` in Latin letters: look-alikes of other scripts and digits that stand for letters are what they pretend to be. */
  readonly latin: string;
  /** What the filter's languages know of `latin`, and of `words` where that is another text. */
  readonly known: readonly KnownWords[];
};

export function readText(raw: string): TextReading {
  const isAscii = /^[\0-\x7f]*$/.test(raw);
  // Two Arabic ligatures become 18 and 8 letters each, which no rule is about: a megabyte of them would be eighteen.
  const normal = isAscii ? raw : raw.replaceAll(/[\ufdfa\ufdfb]/g, ' ').normalize('NFKC');
  const words = once(() => plainWords(normal.includes('&') ? undoReferences(normal) : normal, isAscii));
  const latin = once(() => inLatin(words(), isAscii));
  const known = once(() => {
    const inOwnLetters = isAscii ? '' : inCyrillic(words());
    const inLatinLetters = withWholeSeeds(latin());
    return inOwnLetters === '' || inOwnLetters === latin()
      ? [knownWords(inLatinLetters)]
      : [knownWords(inOwnLetters), knownWords(inLatinLetters)];
  });
  return {
    raw,
    isAscii,
    normal,
    get words() {
      return words();
    },
    get latin() {
      return latin();
    },
    get known() {
      return known();
    },
  };
}

/** `your seed` at the end of what is said is a seed phrase; `your seed investment` is none. */
const withWholeSeeds = (latin: string): string =>
  latin.includes('seed')
    ? latin.replaceAll(
        /(?<![a-z])(your|ur|wallet) seed(?= ?(?:$|[.,!?\n]|(?:to|in|into|here|below|now)(?![a-z])))/g,
        '$1 seed phrase',
      )
    : latin;

/** Nothing that could be read: a single character, numbers, and the data of transactions, which may be long. */
export const holdsNoWords = (text: string): boolean => /^(?:[\x20-\x7e]?|0x[0-9a-fA-F]*)$/.test(text);

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** With the look-alikes of other scripts as Latin letters, whatever stands around them. */
export const lookedLike = (text: string): string => withLatinLetters(text.toLowerCase());

/** Words of Latin letters and of others that look like them. */
export function mixesScripts(normal: string): boolean {
  for (const [word] of normal.matchAll(/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{3,}/gu))
    if (
      /\p{Script=Latin}/u.test(word) &&
      /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word) &&
      !/^[\u03b1-\u03c9\u0391-\u03a9\u039e]\p{Script=Latin}+$/u.test(word)
    ) {
      if (!/[^\0-\x7f]/u.test(lookedLike(word))) return true;
    }
  return false;
}
