/** Checks the texts of one step together: a request that is split between texts, fields that ask for a secret word by word, and a seed phrase in pieces. */

import { isJsonObject, member } from '@flowgate/json/json-object';
import type { Rule } from './content-filter-rules.ts';
import { readText } from './content-filter-text.ts';
import { asksWordByWord, fieldThatAsks, type StepField } from './fields-that-ask.ts';
import { isUnfinished } from './filter-phrases.ts';

type Denial = { readonly ruleId: string; readonly pointer: string };

/** The rules about meaning. Rules about characters and links need single texts only. */
const rulesOfSense = ['secret-requests', 'agent-instructions', 'frauds'];

/** `step` is JSON, validated or not; each of its texts alone has passed. */
export function stepDenial(step: unknown, rules: readonly Rule[]): Denial | undefined {
  if (!isJsonObject(step)) return undefined;
  const exposed = rules.find(({ ruleId }) => ruleId === 'exposed-secrets');
  if (exposed !== undefined && wordsByName(step).some((words) => exposed.finds(readText(words)) === 'refuse'))
    return { ruleId: exposed.ruleId, pointer: '/step' };
  const applied = rules.filter(({ ruleId }) => rulesOfSense.includes(ruleId));
  if (applied.length === 0) return undefined;
  const fields = fieldsOf(step);
  const secrets = applied.find(({ ruleId }) => ruleId === 'secret-requests');
  if (secrets !== undefined) {
    const asking = asksWordByWord(fields) ? '/step/fields' : fieldThatAsks(fields);
    if (asking !== undefined && secrets.finds(readText('seed phrase')) === 'refuse')
      return { ruleId: secrets.ruleId, pointer: asking };
  }
  const prose = joined(textsOf(step, fields));
  if (prose === '') return undefined;
  const reading = readText(prose);
  const found = applied.find(({ finds }) => finds(reading) === 'refuse');
  return found === undefined ? undefined : { ruleId: found.ruleId, pointer: '/step' };
}

/** Minimum number of words of a seed phrase. */
const minWords = 12;

/** The one-word texts in members of the same name, in order: labels, values, entries of lists. A seed phrase may be shown in such pieces. Not recursive, because the depth is unknown. */
function wordsByName(step: object): readonly string[] {
  const words = new Map<string, string[]>();
  const open: { readonly name: string; readonly value: unknown }[] = [{ name: '', value: step }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { name, value } = place;
    if (typeof value === 'string') {
      if (!singleWord.test(value)) continue;
      const list = words.get(name);
      if (list === undefined) words.set(name, [value]);
      else list.push(value);
    } else if (Array.isArray(value)) for (const each of value.toReversed()) open.push({ name, value: each });
    else if (isJsonObject(value))
      for (const each of Object.keys(value).reverse()) open.push({ name: each, value: member(value, each) });
  }
  return [...words.values()].filter((list) => list.length >= minWords).map((list) => list.join(' '));
}

const singleWord = /^[^\p{L}]{0,8}[\p{L}\p{M}]{1,16}$/u;

const textOf = (from: unknown, name: string): string => {
  const value = member(from, name);
  return typeof value === 'string' ? value.trim() : '';
};

const listOf = (from: unknown, name: string): readonly unknown[] => {
  const value = member(from, name);
  return Array.isArray(value) ? value : [];
};

function fieldsOf(step: unknown): readonly StepField[] {
  return listOf(step, 'fields').map((field, nth) => ({
    pointer: `/step/fields/${nth}`,
    type: textOf(field, 'type'),
    label: textOf(field, 'label'),
    help: textOf(field, 'help'),
    choices: listOf(field, 'options').map((option) => textOf(option, 'label')),
  }));
}

/** All texts in the order in which a client shows them. */
function textsOf(step: unknown, fields: readonly StepField[]): readonly string[] {
  return [
    textOf(step, 'title'),
    textOf(step, 'description'),
    ...fields.flatMap(({ label, help, choices }) => [label, help, ...choices]),
    ...listOf(step, 'actions').map((action) => textOf(action, 'label')),
  ].filter((text) => text !== '');
}

/** Joins texts that continue in the next one; empty if there are none. Only the ends of texts are joined, because each text has been checked alone. */
function joined(texts: readonly string[]): string {
  let prose = '';
  let isContinued = false;
  for (const [nth, text] of texts.entries()) {
    const next = texts[nth + 1];
    const isOpen = next !== undefined && continues(text, next);
    if (isOpen || isContinued) prose += (isContinued ? ' ' : '.\n') + endsOf(text);
    isContinued = isOpen;
  }
  return prose;
}

const maxEndLength = 200;

const endsOf = (text: string): string =>
  text.length <= 2 * maxEndLength ? text : `${text.slice(0, maxEndLength)}.\n${text.slice(-maxEndLength)}`;

/** Whether `text` has no closing mark, and either ends in the middle of a sentence, or is followed by a text that does not begin a sentence. */
function continues(text: string, next: string): boolean {
  if (/[.!?:;…。！？：；)\]]$/.test(text)) return false;
  const first = next.charAt(0);
  return (
    /[\p{Ll}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(first) ||
    isUnfinished(readText(text.slice(-maxEndLength)))
  );
}
