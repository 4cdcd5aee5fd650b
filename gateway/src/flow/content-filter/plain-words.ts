/** Texts in plain words: folded until only what a reader sees is left. Phrases are folded in the same way, so that both sides lose the same marks. */

import { softened, withLatinLetters } from './letter-tables.ts';

/** As `TextReading.words`. */
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
