/** Patterns of words and phrases, searched by their first word, so that a text is read once for all of them. */

import { readHeads } from './pattern-heads.ts';

export type WordPattern = {
  readonly source: string;
  /** Sticky: matches at a given place. */
  readonly at: RegExp;
};

/** Whole words, separated by single spaces. Plain words have no accents, so the alternatives lose theirs. */
export function words(alternatives: string): WordPattern {
  const source = bounded(withoutAccents(alternatives));
  return { source, at: new RegExp(`(?:${source})(?![\\p{L}\\p{N}])`, 'uy') };
}

/** Characters of a script that is written without spaces. Plain words have no voice marks of kana, so the alternatives lose them. */
export function characters(alternatives: string): WordPattern {
  const source = withoutAccents(alternatives);
  return { source, at: new RegExp(`(?:${source})`, 'uy') };
}

/** Words are shorter. */
const bounded = (source: string): string =>
  source.replaceAll(/(\\[wd]|\\p\{L\})\*/g, '$1{0,24}').replaceAll(/(\\[wd]|\\p\{L\})\+/g, '$1{1,24}');

const withoutAccents = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').normalize('NFC');

export type Span = { readonly start: number; readonly end: number };

/** A sentence, and what the patterns match in it. */
export type Sentence = { readonly text: string; readonly found: ReadonlyMap<WordPattern, readonly Span[]> };

/** Every occurrence of every pattern in a text; those of one pattern in order and without overlaps. */
export type WordIndex = (text: string) => ReadonlyMap<WordPattern, readonly Span[]>;

const beginningLength = 3;

/** Words. In scripts that are written without spaces, a word begins at each ideograph and hiragana, and at each run of katakana. */
const token =
  /[\p{Script=Han}\p{Script=Hiragana}]|[\p{Script=Katakana}\u30fc]+|[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]]+/gv;

/** Throws if a pattern could begin with any word. */
export function createWordIndex(patterns: readonly WordPattern[]): WordIndex {
  const byWord = new Map<string, WordPattern[]>();
  const byBeginning = new Map<string, WordPattern[]>();
  for (const pattern of new Set(patterns)) {
    const add = (to: Map<string, WordPattern[]>, key: string) => {
      const list = to.get(key);
      if (list === undefined) to.set(key, [pattern]);
      else if (list.at(-1) !== pattern) list.push(pattern);
    };
    readHeads(pattern.source, (head, isWhole) => {
      if (head === '') throw new Error(`a pattern begins with anything: ${pattern.source}`);
      if (!isWhole && head.length < beginningLength)
        throw new Error(`a pattern begins with too little, ${head}: ${pattern.source}`);
      if (isWhole) add(byWord, head);
      else add(byBeginning, head.slice(0, beginningLength));
    });
  }
  return (text) => {
    const found = new Map<WordPattern, Span[]>();
    const look = (candidates: readonly WordPattern[] | undefined, start: number) => {
      for (const pattern of candidates ?? []) {
        const spans = found.get(pattern);
        if ((spans?.at(-1)?.end ?? 0) > start) continue;
        pattern.at.lastIndex = start;
        if (!pattern.at.test(text)) continue;
        const span = { start, end: pattern.at.lastIndex };
        if (spans === undefined) found.set(pattern, [span]);
        else spans.push(span);
      }
    };
    for (const { 0: word, index } of text.matchAll(token)) {
      look(byWord.get(word), index);
      if (word.length >= beginningLength) look(byBeginning.get(word.slice(0, beginningLength)), index);
    }
    return found;
  };
}
