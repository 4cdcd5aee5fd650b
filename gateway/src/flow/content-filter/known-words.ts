/** What of a text the content filter's languages know: each known word or phrase, and where it stands. */

import { allLanguages } from './languages/all-languages.ts';
import { type Kind, kinds } from './lexicon.ts';
import { follow, kindAt, type Meaning, type PhraseNode, phraseTree } from './phrase-tree.ts';

export type KnownWord = {
  readonly meaning: Meaning;
  /** Among the known ones. */
  readonly index: number;
  /** Counted in words from the start of the text, the first and the last one of a phrase. */
  readonly first: number;
  readonly last: number;
  /** Numbers of the sentence, of what stands between its colons, and of its commas. */
  readonly sentence: number;
  readonly colon: number;
  readonly clause: number;
  /** Of a line, or a sentence in it: what a label is. */
  readonly label: number;
};

export type KnownWords = {
  readonly words: readonly KnownWord[];
  /** How many words each label has. */
  readonly labelWords: readonly number[];
};

const root = phraseTree(allLanguages);
const none: KnownWords = { words: [], labelWords: [0] };

/** The bits of the languages in which a word is of that kind; 0: in none. */
export const is = ({ meaning }: KnownWord, kind: Kind): number => meaning[kindAt[kind]] ?? 0;

/** Of a kind from `override` on: most words are not, and no rule about agents begins with them. */
export const isOfLaterKind = ({ meaning }: KnownWord): boolean => meaning[kinds.length] !== 0;

export const languagesWith = (has: 'verbLast' | 'closeDenials'): number =>
  allLanguages.reduce((bits, language, nth) => (language[has] === true ? bits | (1 << nth) : bits), 0);

const blank = 32;
const newline = 10;

/** `text` is a reading in plain words. Takes time in proportion to its length: no phrase is longer than some fifty characters. */
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
      // Sentences are wrapped; an empty line or one that begins a list ends them.
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

/** A word that is not known; a very long one may be several that somebody wrote together. */
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

/** `enteryourseedphrase`; the shortest of what is looked for within. */
const leastJoined = 12;
const leastWithin = 4;

type Match = { readonly meaning: Meaning; readonly end: number; readonly words: number };

/** The longest phrase that begins there. `within` a word, no other word has to begin where it ends. */
function longest(text: string, from: number, within: boolean): Match | undefined {
  let at = root as PhraseNode | undefined;
  let found: Match | undefined;
  let words = 1;
  for (let index = from; index < text.length && at !== undefined; index++) {
    const char = text.charCodeAt(index);
    const isGap = char === blank || char === newline;
    if (isGap) {
      if (within) break;
      // One gap, however it is made.
      const before = text.charCodeAt(index - 1);
      if (before === blank || before === newline) continue;
      words++;
    }
    const next: PhraseNode | undefined = follow(at, isGap ? blank : char);
    if (next === undefined && !isGap) {
      // Written together, where the list has a gap.
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

/** What ends at the same place is both. */
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

/** Scripts that are written without blanks: a word may begin and end at any of their characters. */
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
