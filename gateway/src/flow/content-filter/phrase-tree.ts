/** A trie of the phrases of all languages. */

import { type Kind, kinds, type Language } from './lexicon.ts';
import { inLatin, plainWords } from './plain-words.ts';

/** For each kind, in the order of `kinds`, a bit for each language in which the phrase is of that kind. The last entry is 1 when a kind from `override` on is set. */
export type Meaning = Int32Array;

export type PhraseNode = {
  /** Most nodes have one child. */
  readonly char: number;
  child: PhraseNode | undefined;
  others: Map<number, PhraseNode> | undefined;
  /** The meaning of a phrase that ends here with its word. */
  exact: Meaning | undefined;
  /** The meaning of a phrase that ends here, whatever the rest of the word is. */
  stem: Meaning | undefined;
};

export const kindAt = Object.fromEntries(kinds.map((kind, at) => [kind, at])) as Readonly<Record<Kind, number>>;

export function phraseTree(languages: readonly Language[]): PhraseNode {
  const root = node(0);
  for (const [nth, language] of languages.entries())
    for (const [at, kind] of kinds.entries())
      for (const phrase of (language[kind] ?? '').split(',')) add(root, phrase.trim(), at, 1 << nth);
  return root;
}

function node(char: number): PhraseNode {
  return { char, child: undefined, others: undefined, exact: undefined, stem: undefined };
}

function add(root: PhraseNode, phrase: string, kind: number, language: number): void {
  const isStem = phrase.endsWith('*');
  // Folded like texts, so that both sides match.
  const text = folded(isStem ? phrase.slice(0, -1) : phrase);
  if (text === '') return;
  let at = root;
  for (let index = 0; index < text.length; index++) at = childOf(at, text.charCodeAt(index));
  const meaning = (isStem ? at.stem : at.exact) ?? new Int32Array(kinds.length + 1);
  meaning[kind] = (meaning[kind] ?? 0) | language;
  if (kind >= kindAt.override) meaning[kinds.length] = 1;
  if (isStem) at.stem = meaning;
  else at.exact = meaning;
}

/** Phrases in Latin letters are compared with the text in Latin letters, others with the text in their own script. */
export function folded(phrase: string): string {
  const words = plainWords(phrase);
  return /[^\0-\u024f\u1e00-\u1eff]/.test(words) ? words : inLatin(words);
}

function childOf(parent: PhraseNode, char: number): PhraseNode {
  const known = follow(parent, char);
  if (known !== undefined) return known;
  const made = node(char);
  if (parent.child === undefined) parent.child = made;
  else {
    parent.others ??= new Map();
    parent.others.set(char, made);
  }
  return made;
}

export function follow({ child, others }: PhraseNode, char: number): PhraseNode | undefined {
  return child !== undefined && child.char === char ? child : others?.get(char);
}
