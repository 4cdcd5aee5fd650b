/** All phrases of all languages as one tree of characters, in which a text is looked up in one walk. */

import { type Kind, kinds, type Language } from './lexicon.ts';
import { inLatin, plainWords } from './plain-words.ts';

/** For each kind, in the order of `kinds`, a bit for each language in which the phrase is of that kind; and behind them 1 if it is of a kind from `override` on. */
export type Meaning = Int32Array;

export type PhraseNode = {
  /** Most nodes have one child. */
  readonly char: number;
  child: PhraseNode | undefined;
  others: Map<number, PhraseNode> | undefined;
  /** Of a phrase that ends here with its word. */
  exact: Meaning | undefined;
  /** Of a phrase that ends here, whatever the rest of the word. */
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
  // As a text is read, so that both sides lose the same marks.
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

/** Words in Latin letters meet the reading in Latin letters, others the one in their own. */
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
