/** Detects fields that ask for a secret by their labels: one that names it, or many that take it word by word. */

import { readText } from './content-filter-text.ts';
import { is } from './known-words.ts';
import { allLanguages } from './languages/all-languages.ts';
import { folded } from './phrase-tree.ts';

export type StepField = {
  readonly pointer: string;
  readonly type: string;
  readonly label: string;
  readonly help: string;
  readonly choices: readonly string[];
};

/** Types of fields into which a secret can be typed. */
const typedInto = ['text', 'secret', 'json'];

/** Longer texts are not labels. */
const mostOfLabel = 500;

/** The pointer of a field whose label names a secret and neither denies nor explains anything. */
export function fieldThatAsks(fields: readonly StepField[]): string | undefined {
  return fields.find(({ type, label, help }) => {
    if (!typedInto.includes(type) || label.length > mostOfLabel) return false;
    const about = readText(`${label}.\n${help.slice(0, mostOfLabel)}`);
    return about.known.some(({ words }) => {
      const labelled = words.some((word) => is(word, 'secret') !== 0 && word.sentence === words[0]?.sentence);
      return (
        labelled &&
        !words.some((word) => (['deny', 'keep', 'warned', 'fraud'] as const).some((kind) => is(word, kind) !== 0))
      );
    });
  })?.pointer;
}

/** Seed phrases have at least 12 words; a form with eight numbered fields asks for one. */
const leastWords = 8;

const nouns = allLanguages
  .flatMap(({ word = '' }) => word.split(','))
  .filter((word) => word !== '')
  .map((word) => folded(word.trim()))
  .join('|');

/** `Word 1`, `mot no 3`, `#7`, `第 12 个单词`, `Nth word` in figures. */
const numbered = new RegExp(
  `^(?:(?:${nouns})s?)? ?(?:第|no|nr|number)? ?[.:]? ?\\d{1,2} ?[.:]? ?(?:个|個)? ?(?:${nouns})?$`,
  'u',
);

export function asksWordByWord(fields: readonly StepField[]): boolean {
  const labels = fields
    .filter(({ type, label }) => typedInto.includes(type) && label.length <= 40)
    .map(({ label }) => label);
  if (labels.length < leastWords) return false;
  const matching = labels.filter((label) => {
    const { words, latin } = readText(label);
    return numbered.test(words) || numbered.test(latin);
  });
  return matching.length >= leastWords;
}
