/** Reduces a text to plain words, without accents, marks and spelling tricks. Phrases of the lists go through the same functions, so that both sides match. */

import { softened, withLatinLetters } from './letter-tables.ts';

/** See `TextReading.words`. */
export function plainWords(normal: string, isAscii = false): string {
  const small = (isAscii ? normal : withPlainCapitals(normal)).toLowerCase();
  // Accents, marks and invisible characters do not change the word that a reader sees.
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

/** Removes spaces between Chinese and Japanese characters, where they are not written. */
function withoutGaps(text: string): string {
  return text.replaceAll(/(?<=[\u3040-\u30ff\u3400-\u9fff]) (?=[\u3040-\u30ff\u3400-\u9fff])/g, '');
}

/** Replaces enclosed letters and regional indicators, which NFKC does not change, and Greek capitals that look Latin although their lower case does not. */
function withPlainCapitals(normal: string): string {
  return normal
    .replaceAll(/[\u{1f130}-\u{1f149}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return String.fromCharCode(65 + (code >= 0x1f1e6 ? code - 0x1f1e6 : (code - 0x1f130) % 32));
    })
    .replaceAll(/[ΗΝΥ]/g, (letter) => (letter === 'Η' ? 'H' : letter === 'Ν' ? 'N' : 'Y'));
}

/** Joins spaced-out letters: `s e e d  p h r a s e` is two words, because a wider gap ends a word. */
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

/** See `TextReading.latin`; takes `words`. */
export function inLatin(words: string, isAscii = false): string {
  const shown = isAscii ? words : withLatinLetters(words);
  // Only in words that also have letters: 24 remains 24.
  if (!/[a-z][0-9$@]|[0-9$@][a-z]/.test(shown)) return shown;
  return shown.replaceAll(/[a-z0-9$@]+/g, (word) =>
    /[a-z]/.test(word) && /[0-9$@]/.test(word)
      ? word.replaceAll(/[0134578$@]/g, (digit) => digitsAsLetters[digit] ?? digit)
      : word,
  );
}

/** Replaces Latin letters in otherwise Cyrillic words by the Cyrillic letters that they resemble. */
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
