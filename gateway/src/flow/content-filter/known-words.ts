/** Finds the words and phrases of the filter's lists in a text, with their positions. */

import { allLanguages } from './languages/all-languages.ts';
import { type Kind, kinds } from './lexicon.ts';
import { follow, kindAt, type Meaning, type PhraseNode, phraseTree } from './phrase-tree.ts';

export type KnownWord = {
  readonly meaning: Meaning;
  /** The index among the known words of the text. */
  readonly index: number;
  /** The positions of the phrase's first and last word, counted in words from the start of the text. */
  readonly first: number;
  readonly last: number;
  /** The numbers of the sentence, of the part between colons, and of the part between commas. */
  readonly sentence: number;
  readonly colon: number;
  readonly clause: number;
  /** The number of the line, or of the sentence within it: the unit that can be a label. */
  readonly label: number;
};

export type KnownWords = {
  readonly words: readonly KnownWord[];
  /** The number of words in each such unit. */
  readonly labelWords: readonly number[];
};

const root = phraseTree(allLanguages);
const none: KnownWords = { words: [], labelWords: [0] };

/** The bits of the languages in which the word is of this kind; 0: in none. */
export const is = ({ meaning }: KnownWord, kind: Kind): number => meaning[kindAt[kind]] ?? 0;

/** Whether the word is of a kind from `override` on. The rules about agents only begin with such words, and most words are not. */
export const isOfLaterKind = ({ meaning }: KnownWord): boolean => meaning[kinds.length] !== 0;

export const languagesWith = (has: 'verbLast' | 'closeDenials'): number =>
  allLanguages.reduce((bits, language, nth) => (language[has] === true ? bits | (1 << nth) : bits), 0);

const blank = 32;
const newline = 10;

/** `text` is in plain words. Takes linear time, because no phrase is longer than about fifty characters. */
export function knownWords(text: string): KnownWords {
  if (text === '') return none;
  const words: KnownWord[] = [];
  const labelWords = [0];
  const place = { word: 0, sentence: 0, colon: 0, clause: 0, label: 0 };
  const add = (found: Match) => {
    const { sentence, colon, clause, label } = place;
    const first = place.word;
    place.word += found.words;
    labelWords[label] = (labelWords[label] ?? 0) + found.words;
    words.push({
      meaning: found.meaning,
      index: words.length,
      first,
      last: place.word - 1,
      sentence,
      colon,
      clause,
      label,
    });
  };
  const nextLabel = () => {
    if (labelWords[place.label] !== 0) place.label = labelWords.push(0) - 1;
  };
  for (let at = 0; at < text.length; ) {
    const char = text.charCodeAt(at);
    const mark = char < wordKinds.length ? wordKinds[char] : undefined;
    if (char === blank) at++;
    else if (char === newline) {
      // A sentence may be wrapped; an empty line or a list item ends it.
      if (endsParagraph(text, at)) place.sentence++;
      place.clause++;
      nextLabel();
      at++;
    } else if (mark === ends || isWideEnd(char)) {
      place.sentence++;
      place.clause++;
      place.colon++;
      nextLabel();
      at++;
    } else if (char === 58 || char === 0xff1a) {
      place.colon++;
      place.clause++;
      at++;
    } else if (char === 44 || char === 0x3001 || char === 0xff0c || char === 0x60c) {
      place.clause++;
      at++;
    } else {
      const found = longest(text, at, false);
      if (found !== undefined) {
        add(found);
        at = found.end;
      } else at = skipWord(text, at, place, labelWords, add);
    }
  }
  return { words, labelWords };
}

/** Skips an unknown word. A very long one may be several words without blanks. */
function skipWord(
  text: string,
  from: number,
  place: { word: number; label: number },
  labelWords: number[],
  add: (found: Match) => void,
): number {
  const end = wordEnd(text, from);
  let unknown = end - from;
  if (unknown >= leastJoined) {
    let at = from;
    while (at < end) {
      const found = longest(text, at, true);
      if (found === undefined || found.end > end) at++;
      else {
        add(found);
        unknown -= found.end - at;
        // `yourseedphrase`: the longest word may have taken the next one's first letter.
        at = found.end - 1;
      }
    }
  }
  if (end - from < leastJoined || unknown > leastWithin) {
    place.word++;
    labelWords[place.label] = (labelWords[place.label] ?? 0) + 1;
  }
  return end;
}

/** The shortest word that is searched for joined words, such as `enteryourseedphrase`. */
const leastJoined = 12;
const leastWithin = 4;

type Match = { readonly meaning: Meaning; readonly end: number; readonly words: number };

/** The longest phrase that begins at `from`. `within` a word, it may end in the middle of a word. */
function longest(text: string, from: number, within: boolean): Match | undefined {
  let at = root as PhraseNode | undefined;
  let found: Match | undefined;
  let words = 1;
  for (let index = from; index < text.length && at !== undefined; index++) {
    const char = text.charCodeAt(index);
    const isGap = char === blank || char === newline;
    if (isGap) {
      if (within) break;
      // Several separators count as one gap.
      const before = text.charCodeAt(index - 1);
      if (before === blank || before === newline) continue;
      words++;
    }
    const next: PhraseNode | undefined = follow(at, isGap ? blank : char);
    if (next === undefined && !isGap) {
      // The text has no gap where the list has one.
      const gap: PhraseNode | undefined = follow(at, blank);
      at = gap === undefined ? undefined : follow(gap, char);
    } else at = next;
    if (at === undefined) break;
    const { exact, stem } = at;
    if (exact === undefined && stem === undefined) continue;
    const isEnd = within ? index + 1 - from >= leastWithin : endsWord(text, index);
    if (exact !== undefined && isEnd) found = longer(found, exact, index + 1, words);
    if (stem !== undefined && (!within || isEnd))
      found = longer(found, stem, within ? index + 1 : restOfWord(text, index), words);
  }
  return found;
}

/** Phrases that end at the same position share their meanings. */
function longer(found: Match | undefined, meaning: Meaning, end: number, words: number): Match {
  if (found === undefined || found.end !== end || found.meaning === meaning) return { meaning, end, words };
  return { meaning: found.meaning.map((languages, kind) => languages | (meaning[kind] ?? 0)), end, words };
}

const ends = 2;
/** For ASCII: 1 is part of a word, 2 ends a sentence. */
const wordKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[a-z0-9@$]/.test(char) ? 1 : /[.!?;]/.test(char) ? ends : 0;
});

const isWideEnd = (char: number) =>
  char === 0x3002 || char === 0xff01 || char === 0xff1f || char === 0xff1b || char === 0x964 || char === 0x61f;

/** Scripts that are written without blanks: words may begin and end at any character. */
const isUnspaced = (char: number) =>
  (char >= 0x3040 && char <= 0x30ff) || (char >= 0x3400 && char <= 0x9fff) || (char >= 0xf900 && char <= 0xfaff);

function isInWord(char: number): boolean {
  if (char < 128) return wordKinds[char] === 1;
  return (
    !isUnspaced(char) && !isWideEnd(char) && char !== 0x3001 && char !== 0xff0c && char !== 0xff1a && char !== 0x60c
  );
}

function endsWord(text: string, index: number): boolean {
  return index + 1 >= text.length || isUnspaced(text.charCodeAt(index)) || !isInWord(text.charCodeAt(index + 1));
}

function restOfWord(text: string, index: number): number {
  if (isUnspaced(text.charCodeAt(index))) return index + 1;
  let end = index + 1;
  while (end < text.length && isInWord(text.charCodeAt(end))) end++;
  return end;
}

function wordEnd(text: string, from: number): number {
  return isInWord(text.charCodeAt(from)) ? restOfWord(text, from) : from + 1;
}

const endsParagraph = (text: string, at: number): boolean => text.charCodeAt(at + 1) === newline;
