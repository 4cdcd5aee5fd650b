/** Detects fields that ask for a secret by their labels: one label that names it, or many that ask for it word by word. */

import { readText } from './content-filter-text.ts';
import { namesSecret } from './filter-phrases.ts';

export type StepField = {
  readonly pointer: string;
  readonly type: string;
  readonly label: string;
  readonly help: string;
  readonly choices: readonly string[];
};

/** Types of fields that accept a typed secret. */
const typedInto = ['text', 'secret', 'json'];

/** Longer texts are not labels. */
const maxLabelLength = 500;

/** The pointer of a field whose label names a secret and neither denies nor explains. */
export function fieldThatAsks(fields: readonly StepField[]): string | undefined {
  return fields.find(
    ({ type, label, help }) =>
      typedInto.includes(type) &&
      label.length <= maxLabelLength &&
      namesSecret(readText(label)) &&
      (help === '' || namesSecret(readText(`${label}.\n${help.slice(0, maxLabelLength)}`))),
  )?.pointer;
}

/** Seed phrases have at least 12 words; a form with eight numbered fields asks for one. */
const minWords = 8;

/** `Word 1`, `mot no 3`, `#7`, `Third word`, `IV`, `Word A`, `第 12 个单词`. Any one word before or after the number counts: eight such labels are a numbered list. */
const numbered =
  /^(?:(\p{L}{1,20}) ?)?(?:no|nr|number)? ?[.:]? ?(?:(?<!\p{L})(?:first|second|third|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf)th|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[ivx]{1,5}|[a-x])(?!\p{L})|\d{1,2}) ?[.:]? ?(?:[个個] ?)?(\p{L}{1,20})?$/u;

export function asksWordByWord(fields: readonly StepField[]): boolean {
  const labels = fields.filter(({ type, label }) => typedInto.includes(type) && label.length <= 40);
  if (labels.length < minWords) return false;
  const nouns = labels.flatMap(({ label }) => {
    const [, before = '', after = ''] = numbered.exec(readText(label).words) ?? [];
    return isCounted(readText(label).words) ? [before || after] : [];
  });
  return nouns.filter((noun) => wordNouns.has(noun)).length >= minWords;
}

/** A single letter names a column or an answer. */
const isCounted = (label: string): boolean => numbered.test(label) && !/^[a-x]$/.test(label);

/** Names of the words of a phrase. Without a name, the labels are numbers only. */
const wordNouns = new Set(
  [
    '',
    'word',
    'words',
    'seed',
    'phrase',
    'wort',
    'mot',
    'palabra',
    'palavra',
    'parola',
    'woord',
    'слово',
    'слово',
  ].concat(['单词', '單詞', '词', '字', '第', '単語', '단어', 'kelime', 'kata', 'tu', 'slowo', 'شبد', 'كلمة']),
);
