/** One text as the filter's rules read it: as it came, in its compatibility form, and in plain words behind which no spelling trick hides. */

import { undoReferences } from './character-references.ts';
import type { KnownWords } from './known-words.ts';
import { softened, withLatinLetters } from './letter-tables.ts';

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

/** `read`: known-words, which this file's foldings are part of. */
export function readText(raw: string, read: (words: string) => KnownWords): TextReading {
  const isAscii = /^[\0-\x7f]*$/.test(raw);
  // Two Arabic ligatures become 18 and 8 letters each, which no rule is about: a megabyte of them would be eighteen.
  const normal = isAscii ? raw : raw.replaceAll(/[\ufdfa\ufdfb]/g, ' ').normalize('NFKC');
  const words = once(() => plainWords(normal.includes('&') ? undoReferences(normal) : normal, isAscii));
  const latin = once(() => inLatin(words(), isAscii));
  const known = once(() => {
    const inOwnLetters = isAscii ? '' : inCyrillic(words());
    const inLatinLetters = withWholeSeeds(latin());
    return inOwnLetters === '' || inOwnLetters === latin()
      ? [read(inLatinLetters)]
      : [read(inOwnLetters), read(inLatinLetters)];
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

/** As `TextReading.words`; lists of phrases go through it too, so that both sides lose the same marks. */
export function plainWords(normal: string, isAscii = false): string {
  const small = (isAscii ? normal : withPlainCapitals(normal)).toLowerCase();
  // Accents, marks and everything invisible go: they change no word that a reader sees.
  const bare = isAscii
    ? small
    : small
        .normalize('NFKD')
        .replace(/[\p{M}\p{Cf}]/gu, '')
        .normalize('NFC');
  const spaced = joinSpacedLetters(softened(bare));
  const joined = spaced.includes('  ') ? spaced.replaceAll('  ', ' ') : spaced;
  return (isAscii ? joined : withoutGaps(joined)).trim();
}

/** Nobody writes blanks between the characters of Chinese and Japanese words. */
function withoutGaps(text: string): string {
  return text.replaceAll(/(?<=[\u3040-\u30ff\u3400-\u9fff]) (?=[\u3040-\u30ff\u3400-\u9fff])/g, '');
}

/** Letters in boxes and discs and of flags, which have no compatibility form, and Greek capitals whose small letters look like others than they do. */
function withPlainCapitals(normal: string): string {
  return normal
    .replaceAll(/[\u{1f130}-\u{1f149}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return String.fromCharCode(65 + (code >= 0x1f1e6 ? code - 0x1f1e6 : (code - 0x1f130) % 32));
    })
    .replaceAll(/[ΗΝΥ]/g, (letter) => (letter === 'Η' ? 'H' : letter === 'Ν' ? 'N' : 'Y'));
}

/** `s e e d  p h r a s e` is two words of letters that were spaced out; a wider gap ends a word. */
function joinSpacedLetters(text: string): string {
  if (!/\S \S \S \S/.test(text)) return text;
  return text.replaceAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}](?: [\p{L}\p{N}](?![\p{L}\p{N}])){2,}/gu, (spaced) =>
    spaced.replaceAll(' ', ''),
  );
}

const digitsAsLetters: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  $: 's',
  '@': 'a',
};

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

/** As `TextReading.latin`, of `words`. */
export function inLatin(words: string, isAscii = false): string {
  const shown = isAscii ? words : withLatinLetters(words);
  // Only within a word that has letters too: 24 stays 24.
  if (!/[a-z][0-9$@]|[0-9$@][a-z]/.test(shown)) return shown;
  return shown.replaceAll(/[a-z0-9$@]+/g, (word) =>
    /[a-z]/.test(word) && /[0-9$@]/.test(word)
      ? word.replaceAll(/[0134578$@]/g, (digit) => digitsAsLetters[digit] ?? digit)
      : word,
  );
}

/** Latin letters in words that are Cyrillic otherwise, as what they look like. */
export function inCyrillic(words: string): string {
  if (!/[a-z][\u0430-\u044f]|[\u0430-\u044f][a-z]/.test(words)) return words;
  return words.replaceAll(/[a-z\u0430-\u044f]+/g, (word) =>
    /[a-z]/.test(word) && /[бгджзийлпфцчшщъыьэюя]/.test(word)
      ? word.replaceAll(/[aeopcyxkmthbn]/g, (letter) => cyrillic[letter] ?? letter)
      : word,
  );
}

const cyrillic: Readonly<Record<string, string>> = {
  a: 'а',
  b: 'в',
  c: 'с',
  e: 'е',
  h: 'н',
  k: 'к',
  m: 'м',
  n: 'п',
  o: 'о',
  p: 'р',
  t: 'т',
  x: 'х',
  y: 'у',
};
