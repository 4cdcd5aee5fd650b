/** Hostile phrases, and the search for one in a sentence. */

import type { Sentence, Span, WordPattern } from './word-pattern.ts';

/** A phrase is found if its parts occur in order in one sentence, and nothing excuses it. */
export type Phrase = {
  /** Begins with the language, `en-request-secret`. Printed in docs/reference/content-filter.md. */
  readonly phraseId: string;
  /** Why no honest text says this. */
  readonly reason: string;
  /** Each part begins after the previous one, at most `maxGap` words later. */
  readonly parts: readonly WordPattern[];
  /** Must occur in the same sentence or in one of the three sentences before it: the noun that `it` refers to. */
  readonly antecedent?: WordPattern;
  /** Must occur in the same sentence, at most `maxGap` words before or after the parts: a verb, on either side of its object. */
  readonly alongside?: WordPattern;
  /** Whether `alongside` may also occur in one of the next two sentences, if nothing in that sentence excuses it. */
  readonly alongsideLater?: boolean;
  /** Default 6; a Chinese character counts as a word. */
  readonly maxGap?: number;
  /** Whether commas and colons may lie between the parts. */
  readonly acrossClauses?: boolean;
  /** Excuses the phrase if it occurs in the clause of the first part, before the last part ends: `never`. */
  readonly unless?: WordPattern;
  /** Excuses the phrase if it occurs anywhere in the sentence: `scammers`, of whom the text warns. */
  readonly unlessAnywhere?: WordPattern;
  /** Excuses the phrase if it occurs between its parts, or after them in the sentence: `is a scam`. */
  readonly unlessLater?: WordPattern;
  /** Examples, which a test checks. */
  readonly refuses: readonly string[];
  readonly passes: readonly string[];
};

/** The phrases of one language. */
export type PhraseList = {
  readonly language: string;
  readonly name: string;
  /** The reading of a text that the patterns match (`TextReading`). */
  readonly reading: 'latin' | 'words';
  readonly secretRequests: readonly Phrase[];
  readonly agentInstructions: readonly Phrase[];
  /** Requests to send funds to protect or double them, and threats of impostors who pose as support. */
  readonly frauds: readonly Phrase[];
  /** Nouns that name a wallet's secret. A text that consists of one, or of one and `labelFillers`, is a label that asks for it. */
  readonly secret: WordPattern;
  readonly labelFillers: WordPattern;
  /** Words that explain a secret or warn about it instead of asking for it. */
  readonly explains: WordPattern;
  /** A text that ends like this continues in the next text of the step. */
  readonly unfinished: WordPattern;
  /** Commas between verbs of a list, which begin no new clause: `never enter, share or send`. */
  readonly listComma?: RegExp;
  /** Ends of sentences after which the next one takes up a noun: `. Type it below`. */
  readonly refersBack?: RegExp;
  /** Words that begin a new clause: `but`, `so`. */
  readonly clauseWord: WordPattern;
};

/** `at`: the place of the sentence in its text. Takes time linear in the sentence. */
export function occursIn(sentences: readonly Sentence[], at: number, phrase: Phrase, list: PhraseList): boolean {
  const sentence = sentences[at];
  if (sentence === undefined) return false;
  if (phrase.parts.some((part) => !sentence.found.has(part))) return false;
  const { antecedent } = phrase;
  if (
    antecedent !== undefined &&
    !sentences.slice(Math.max(0, at - 3), at + 1).some(({ found }) => found.has(antecedent))
  )
    return false;
  if (phrase.unlessAnywhere !== undefined && sentence.found.has(phrase.unlessAnywhere)) return false;
  const isFollowed = followed(sentences, at, phrase);
  if (phrase.alongside !== undefined && !isFollowed && !sentence.found.has(phrase.alongside)) return false;
  const clauses = clausesOf(sentence, list);
  return chainsOf(sentence, phrase, clauses)
    .flatMap((chain) => (isFollowed ? [chain] : extended(sentence, phrase, chain)))
    .some((chain) => !isExcused(sentence, phrase, chain, clauses));
}

/** Whether a companion of the phrase occurs in one of the next two sentences. */
function followed(
  sentences: readonly Sentence[],
  at: number,
  { alongside, alongsideLater = false, unless }: Phrase,
): boolean {
  if (alongside === undefined || !alongsideLater) return false;
  return sentences
    .slice(at + 1, at + 3)
    .some(({ found }) => found.has(alongside) && (unless === undefined || !found.has(unless)));
}

/** A chain together with its companions: at most one occurrence before it, and one within or behind it. */
function extended(
  { text, found }: Sentence,
  { parts, alongside, maxGap = defaultGap }: Phrase,
  chain: Span,
): readonly Span[] {
  if (alongside === undefined) return [chain];
  const spans = found.get(alongside) ?? [];
  const from = parts.length === 1 ? chain.end : chain.start;
  const before = spans[firstFrom(spans.length, (at) => (spans[at]?.end ?? 0) > chain.start) - 1];
  const after = spans[firstFrom(spans.length, (at) => (spans[at]?.start ?? 0) >= from)];
  const isNear = (end: number, start: number) =>
    start - end <= maxGapLength && wordsIn(text.slice(end, Math.max(end, start))) <= maxGap;
  return [
    ...(before !== undefined && isNear(before.end, chain.start) ? [{ start: before.start, end: chain.end }] : []),
    ...(after !== undefined && isNear(chain.end, after.start)
      ? [{ start: chain.start, end: Math.max(chain.end, after.end) }]
      : []),
  ];
}

/** Where clauses begin, in ascending order. */
function clausesOf({ text, found }: Sentence, { clauseWord }: PhraseList): readonly number[] {
  const starts = [0];
  for (const { index } of text.matchAll(/[,:\uff0c\u3001\uff1a]/g)) starts.push(index + 1);
  for (const { start } of found.get(clauseWord) ?? []) starts.push(start);
  return starts.sort((a, b) => a - b);
}

const defaultGap = 6;

/** Longer gaps are not counted, which limits the cost of a sentence with one beginning and many ends. */
const maxGapLength = 400;

/** Each occurrence of the last part that the other parts precede. */
function chainsOf(
  { text, found }: Sentence,
  { parts, maxGap = defaultGap, acrossClauses = false }: Phrase,
  clauses: readonly number[],
): readonly Span[] {
  const [first, ...others] = parts.map((part) => found.get(part) ?? []);
  let chains = first ?? [];
  for (const spans of others) {
    const before = chains;
    let at = 0;
    chains = spans.flatMap(({ start, end }) => {
      while ((before[at + 1]?.end ?? Number.POSITIVE_INFINITY) <= start) at++;
      const previous = before[at];
      if (previous === undefined || previous.end > start || start - previous.end > maxGapLength) return [];
      if (!acrossClauses && startOfClause(clauses, start) >= previous.end) return [];
      if (wordsIn(text.slice(previous.end, start)) > maxGap) return [];
      return [{ start: previous.start, end }];
    });
  }
  return chains;
}

function isExcused(
  { found }: Sentence,
  { unless, unlessLater }: Phrase,
  chain: Span,
  clauses: readonly number[],
): boolean {
  if (unless !== undefined) {
    const excuses = found.get(unless) ?? [];
    const from = startOfClause(clauses, chain.start);
    const next = excuses[firstFrom(excuses.length, (at) => (excuses[at]?.start ?? 0) >= from)];
    if (next !== undefined && next.start < chain.end) return true;
  }
  return unlessLater !== undefined && (found.get(unlessLater)?.at(-1)?.start ?? -1) >= chain.start;
}

function startOfClause(clauses: readonly number[], at: number): number {
  return clauses[firstFrom(clauses.length, (nth) => (clauses[nth] ?? 0) > at) - 1] ?? 0;
}

/** The first index for which `holds` is true, if it is true for all later ones too; `length` if there is none. */
function firstFrom(length: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function wordsIn(gap: string): number {
  const trimmed = gap.trim();
  return (trimmed === '' ? 0 : trimmed.split(' ').length) + (trimmed.match(/\p{Script=Han}/gu)?.length ?? 0);
}
