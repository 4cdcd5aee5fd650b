/** The forms of a text that the filter's rules read: raw, normalized, and in plain words without spelling tricks. */

import { decodeEscapes } from './character-references.ts';
import { withLatinLetters } from './letter-tables.ts';
import { once } from './once.ts';
import type { PhraseList } from './phrases/phrase.ts';
import { sentencesOf } from './phrases/sentence.ts';
import type { Sentence } from './phrases/word-pattern.ts';
import { inCyrillic, inLatin, plainWords } from './plain-words.ts';

export type TextReading = {
  readonly raw: string;
  readonly isAscii: boolean;
  /** NFKC: full-width and other presentation forms become plain letters. */
  readonly normal: string;
  /** `normal` in lower case, with soft punctuation as spaces and spaced-out letters joined. Latin look-alikes in Cyrillic words become Cyrillic. */
  readonly words: string;
  /** `words` in Latin letters: look-alikes from other scripts and digits used as letters are replaced. */
  readonly latin: string;
  /** The sentences of `words` or `latin`, depending on the phrase list. */
  readonly sentences: (list: Pick<PhraseList, 'reading'>) => readonly Sentence[];
};

export function readText(raw: string): TextReading {
  const isAscii = /^[\0-\x7f]*$/.test(raw);
  // NFKC would expand two Arabic ligatures to 18 and 8 letters, and 1 MiB of them to 18 MiB. No rule is about them.
  const normal = isAscii ? raw : raw.replaceAll(/[\ufdfa\ufdfb]/g, ' ').normalize('NFKC');
  const plain = once(() => {
    return plainWords(withoutWraps(withSeparateWords(decodeEscapes(normal))), isAscii);
  });
  const words = once(() => (isAscii ? plain() : inCyrillic(plain())));
  const latin = once(() => inLatin(plain(), isAscii));
  const sentences = {
    latin: once(() => sentencesOf.latin(latin())),
    words: once(() => (isAscii ? [] : sentencesOf.words(words()))),
  };
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
    sentences: ({ reading }) => sentences[reading](),
  };
}

/** Reads `walletSeedPhrase` as three words. Words within a text are read both ways, because capitals may occur anywhere in a word. */
function withSeparateWords(text: string): string {
  if (/^[a-z]{1,30}(?:[A-Z][a-z]{1,30}){1,6}$/.test(text)) return text.replaceAll(/(?=[A-Z])/g, ' ');
  const separate = text.replaceAll(joinedWords, (words) => words.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' '));
  return separate === text ? text : `${text}.\n${separate}`;
}

const joinedWords = /(?<![A-Za-z0-9])[A-Za-z][a-z]{1,30}(?:[A-Z][a-z]{1,30}){2,12}(?![A-Za-z0-9])/g;

/** Joins lines that may be one sentence: the first line ends without a mark, and the next begins with a letter. */
const withoutWraps = (text: string): string =>
  text.includes('\n') ? text.replaceAll(/(?<=[\p{L}\p{M}\p{N}$@,])\r?\n[ \t]{0,8}(?=[\p{L}\p{N}$@])/gu, ' ') : text;

/** Whether a text contains no words: at most one character, or hexadecimal data, which may be long. */
export const holdsNoWords = (text: string): boolean => /^(?:[\x20-\x7e]?|0x[0-9a-fA-F]*)$/.test(text);

/** In lower case, with look-alikes from other scripts as Latin letters. */
export const lookedLike = (text: string): string => withLatinLetters(text.toLowerCase());
