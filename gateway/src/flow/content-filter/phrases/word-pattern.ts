/** Patterns of words and phrases that are looked for by their first word, so that a text is read once for all of them. */

export type WordPattern = {
  /** Sticky: matches at a given place. */
  readonly at: RegExp;
  /** The first words of what it matches, and the beginnings of first words. */
  readonly words: readonly string[];
  readonly beginnings: readonly string[];
};

/** Whole words, separated by single blanks. Plain words have no accents, and so the alternatives lose theirs. */
export function words(alternatives: string): WordPattern {
  const source = bounded(withoutAccents(alternatives));
  return patternOf(source, new RegExp(`(?:${source})(?![\\p{L}\\p{N}])`, 'uy'));
}

/** Characters of a script that is written without blanks. Plain words have no voice marks of kana either. */
export function characters(alternatives: string): WordPattern {
  const source = withoutAccents(alternatives);
  return patternOf(source, new RegExp(`(?:${source})`, 'uy'));
}

/** Words are shorter. */
const bounded = (source: string): string =>
  source.replaceAll(/(\\[wd]|\\p\{L\})\*/g, '$1{0,24}').replaceAll(/(\\[wd]|\\p\{L\})\+/g, '$1{1,24}');

const withoutAccents = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').normalize('NFC');

function patternOf(source: string, at: RegExp): WordPattern {
  // Each ideograph and each hiragana is a word.
  const heads = headsOf(source).map((head) =>
    /^[\p{Script=Han}\p{Script=Hiragana}]/u.test(head.text) ? { text: head.text.charAt(0), isWhole: true } : head,
  );
  if (heads.some(({ text }) => text === '')) throw new Error(`a pattern begins with anything: ${source}`);
  return {
    at,
    words: [...new Set(heads.filter(({ isWhole }) => isWhole).map(({ text }) => text))],
    beginnings: heads.filter(({ isWhole }) => !isWhole).map(({ text }) => text),
  };
}

type Head = { readonly text: string; readonly isWhole: boolean };

/** How the matches of a pattern begin: up to the first blank, or the first character that may vary. */
function headsOf(source: string): readonly Head[] {
  const heads = new Map<string, Head>();
  const add = (head: Head) => heads.set(`${head.text} ${head.isWhole}`, head);
  for (const alternative of alternativesOf(source)) readHead(alternative, '', add);
  return [...heads.values()];
}

function readHead(rest: string, text: string, add: (head: Head) => void): void {
  if (rest === '') {
    add({ text, isWhole: true });
    return;
  }
  const { atom, quantifier, after } = firstAtom(rest);
  const isOptional = /^(?:[?*]|\{0)/.test(quantifier);
  if (isOptional) readHead(after, text, add);
  if (atom === '^' || atom === '$' || /^\(\?<?[=!]/.test(atom)) readHead(after, text, add);
  else if (atom.startsWith('(?:'))
    for (const inner of alternativesOf(atom.slice(3, -1))) readHead(inner + after, text, add);
  else if (atom === ' ') add({ text, isWhole: true });
  else if (/^\[[\p{L}\p{N}]+\]$/u.test(atom) && /^\??$/.test(quantifier))
    for (const char of atom.slice(1, -1)) readHead(after, text + char, add);
  else if (/^[\p{L}\p{N}]$/u.test(atom) && /^\??$/.test(quantifier)) readHead(after, text + atom, add);
  else add({ text, isWhole: false });
}

/** The first character, class, escape or group of a pattern, and how often it may occur. */
function firstAtom(source: string): { readonly atom: string; readonly quantifier: string; readonly after: string } {
  let length = 1;
  if (source[0] === '(') length = closing(source, '(', ')');
  else if (source[0] === '[') length = source.indexOf(']') + 1;
  else if (source.startsWith('\\p')) length = source.indexOf('}') + 1;
  else if (source[0] === '\\') length = 2;
  const [quantifier = ''] = /^(?:[?*+]|\{\d+(?:,\d*)?\})/.exec(source.slice(length)) ?? [];
  return { atom: source.slice(0, length), quantifier, after: source.slice(length + quantifier.length) };
}

function alternativesOf(source: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < source.length; at++) {
    if (source[at] === '(' || source[at] === '[') depth++;
    else if (source[at] === ')' || source[at] === ']') depth--;
    else if (source[at] === '|' && depth === 0) {
      found.push(source.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, source.slice(from)];
}

function closing(source: string, open: string, close: string): number {
  let depth = 0;
  for (let at = 0; at < source.length; at++) {
    if (source[at] === open) depth++;
    else if (source[at] === close && --depth === 0) return at + 1;
  }
  throw new Error(`a group of a pattern has no end: ${source}`);
}

export type Span = { readonly start: number; readonly end: number };

/** A sentence, and what the patterns match in it. */
export type Sentence = { readonly text: string; readonly found: ReadonlyMap<WordPattern, readonly Span[]> };

/** Every occurrence of every pattern in a text, those of one pattern in order and apart. */
export type WordIndex = (text: string) => ReadonlyMap<WordPattern, readonly Span[]>;

const beginningLength = 3;

/** Words; scripts that are written without blanks change where a word begins: each ideograph and hiragana, and each run of katakana. */
const token =
  /[\p{Script=Han}\p{Script=Hiragana}]|[\p{Script=Katakana}\u30fc]+|[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]]+/gv;

export function createWordIndex(patterns: readonly WordPattern[]): WordIndex {
  const byWord = new Map<string, WordPattern[]>();
  const byBeginning = new Map<string, WordPattern[]>();
  const add = (to: Map<string, WordPattern[]>, key: string, pattern: WordPattern) => {
    const list = to.get(key);
    if (list === undefined) to.set(key, [pattern]);
    else if (!list.includes(pattern)) list.push(pattern);
  };
  for (const pattern of patterns) {
    for (const word of pattern.words) add(byWord, word, pattern);
    for (const beginning of pattern.beginnings) {
      if (beginning.length < beginningLength)
        throw new Error(`a pattern begins with too little, ${beginning}: ${pattern.at.source}`);
      add(byBeginning, beginning.slice(0, beginningLength), pattern);
    }
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
