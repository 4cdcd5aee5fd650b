/**
 * Makes, for one pattern, the texts that cost a backtracking engine most: for each repetition a prefix that leads to it
 * and then ever more of it, and many prefixes that do not match in the end.
 */

import { isTriedOnce } from './regex-steps.ts';
import { parseRegex, type RegexNode } from './regex-syntax.ts';

type SetNode = Extract<RegexNode, { kind: 'set' }>;

/** A text of about `length` characters. */
export type Attack = (length: number) => string;

/** Only repetitions with a larger maximum than this are attacked. */
const fewRepetitions = 8;
const everyday = [
  'a',
  'e',
  'Z',
  '0',
  '9',
  '_',
  '-',
  '.',
  '/',
  ':',
  '@',
  '%',
  '"',
  "'",
  '<',
  '>',
  '=',
  '&',
  '?',
  '#',
  '\\',
  ' ',
  '\n',
  '\t',
  ',',
  ';',
  '[',
  '(',
  '{',
  '~',
  '|',
  '!',
  '$',
  '+',
  '*',
];
const foreign = ['é', '中', 'я', 'ا', '가', 'の', '\u0001', '\u200d'];

/** Empty for a pattern without long repetitions: its cost at one position is bounded by its own length. */
export function attacksOn(regex: RegExp): readonly Attack[] {
  const tree = parseRegex(regex);
  const alphabet = alphabetOf(tree, regex.source);
  const repetitions = [...repetitionsIn(tree, '', alphabet)];
  if (repetitions.length === 0) return [];
  const tries = new Map<string, readonly [head: string, unit: string]>();
  const repeated = (head: string, unit: string) => unit !== '' && tries.set(`${head}\0${unit}`, [head, unit]);
  for (const { before, pumps } of repetitions)
    for (const pump of [...pumps, ...alphabet]) {
      repeated(before, pump);
      repeated('', pump);
      repeated('', before + pump);
      repeated('', before + pump.repeat(fewRepetitions));
    }
  const whole = variants(tree, alphabet)[0] ?? '';
  for (let end = 1; end <= whole.length; end += Math.ceil(whole.length / 12)) repeated('', whole.slice(0, end));
  const texts = [...tries.values()];
  return tailsOf(regex, tree).flatMap((tail) =>
    texts.map(
      ([head, unit]): Attack =>
        (length) =>
          head + unit.repeat(Math.max(1, Math.ceil((length - head.length) / unit.length))) + tail,
    ),
  );
}

/** Ends of texts at which a long repetition does not match in the end. One try does not reach them. */
function tailsOf(regex: RegExp, tree: RegexNode): readonly string[] {
  if (isTriedOnce(regex)) return [''];
  const excludesLineFeed = [...setsIn(tree)].some(({ has }) => has('\u0002') && !has('\n'));
  return ['', '\u0002', ...(excludesLineFeed ? ['\n'] : [])];
}

/** One character of each class that the pattern distinguishes. */
function alphabetOf(tree: RegexNode, source: string): readonly string[] {
  const sets = [...new Map([...setsIn(tree)].map((set) => [set.raw, set])).values()];
  const kinds = new Map<string, string>();
  for (const one of new Set([...everyday, ...source, ...foreign])) {
    const kind = `${sets.map(({ has }) => (has(one) ? 1 : 0)).join('')}${/\w/.test(one)}${one === '\n'}`;
    if (!kinds.has(kind)) kinds.set(kind, one);
  }
  return [...kinds.values()];
}

function* setsIn(node: RegexNode): Generator<SetNode> {
  if (node.kind === 'set') yield node;
  else if (node.kind === 'repeat' || node.kind === 'look') yield* setsIn(node.of);
  else if (node.kind !== 'assert') for (const each of node.of) yield* setsIn(each);
}

type Repetition = { readonly before: string; readonly pumps: readonly string[] };

/** Each long repetition, with a text that leads to it. */
function* repetitionsIn(node: RegexNode, before: string, alphabet: readonly string[]): Generator<Repetition> {
  if (node.kind === 'repeat') {
    if (node.max > fewRepetitions) yield { before, pumps: variants(node.of, alphabet) };
    yield* repetitionsIn(node.of, before, alphabet);
  } else if (node.kind === 'look') yield* repetitionsIn(node.of, before, alphabet);
  else if (node.kind === 'choice') for (const each of node.of) yield* repetitionsIn(each, before, alphabet);
  else if (node.kind === 'sequence') {
    let reached = before;
    for (const each of node.of) {
      yield* repetitionsIn(each, reached, alphabet);
      reached += variants(each, alphabet)[0] ?? '';
    }
  }
}

const maxVariants = 16;

/** Short texts that the node matches and that differ from each other in one position. */
function variants(node: RegexNode, alphabet: readonly string[]): readonly string[] {
  if (node.kind === 'set') return alphabet.filter((one) => node.has(one)).slice(0, maxVariants);
  if (node.kind === 'repeat') {
    const once = variants(node.of, alphabet);
    return node.min === 0
      ? ['', ...once].slice(0, maxVariants)
      : once.map((each) => each.repeat(Math.min(node.min, 600)));
  }
  if (node.kind === 'choice') {
    const ways = node.of.map((way) => variants(way, alphabet));
    return [0, 1, 2, 3].flatMap((nth) => ways.flatMap((way) => way[nth] ?? [])).slice(0, maxVariants);
  }
  if (node.kind !== 'sequence') return [''];
  const parts = node.of.map((part) => variants(part, alphabet));
  const plain = parts.map((part) => part[0] ?? '');
  const varied = parts.flatMap((part, at) => part.slice(1).map((each) => plain.with(at, each).join('')));
  return [plain.join(''), ...varied].slice(0, maxVariants);
}
