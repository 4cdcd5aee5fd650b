/** The forms of one text that the filter's rules read: raw, normalised, and in plain words without spelling tricks. */

import { undoReferences } from './character-references.ts';
import { type KnownWords, knownWords } from './known-words.ts';
import { withLatinLetters } from './letter-tables.ts';
import { inCyrillic, inLatin, plainWords } from './plain-words.ts';

export type TextReading = {
  readonly raw: string;
  readonly isAscii: boolean;
  /** NFKC: full-width and other presentation forms become plain letters. */
  readonly normal: string;
  /** `normal` in lower case, with soft punctuation as blanks and spaced-out letters joined. */
  readonly words: string;
  /** `words` in Latin letters: look-alikes from other scripts and digits used as letters are replaced. */
  readonly latin: string;
  /** The words of the filter's lists in `latin`, and in `words` when that differs. */
  readonly known: readonly KnownWords[];
};

export function readText(raw: string): TextReading {
  const isAscii = /^[\0-\x7f]*$/.test(raw);
  // NFKC would expand two Arabic ligatures to 18 and 8 letters, a megabyte of them to 18. No rule is about them.
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

/** `your seed` at the end of a phrase means a seed phrase; `your seed investment` does not. */
const withWholeSeeds = (latin: string): string =>
  latin.includes('seed')
    ? latin.replaceAll(
        /(?<![a-z])(your|ur|wallet) seed(?= ?(?:$|[.,!?\n]|(?:to|in|into|here|below|now)(?![a-z])))/g,
        '$1 seed phrase',
      )
    : latin;

/** Whether a text contains no words: at most one character, or hexadecimal data, which may be long. */
export const holdsNoWords = (text: string): boolean => /^(?:[\x20-\x7e]?|0x[0-9a-fA-F]*)$/.test(text);

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** In lower case, with look-alikes from other scripts as Latin letters. */
export const lookedLike = (text: string): string => withLatinLetters(text.toLowerCase());

/** Whether a word mixes Latin letters with look-alikes from other scripts. */
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
