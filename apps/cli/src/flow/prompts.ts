/** Questions in a terminal. Control characters in the app's texts are removed before they are shown. */

import { confirm, isCancel, log, multiselect, password, select, text } from '@clack/prompts';
import type { Field, StepSpec } from '@flowgate/client';
import { CliProblem } from '../cli-problem.ts';
import { plainLines, plainText } from '../output/plain-text.ts';
import type { PromptStreams } from '../runtime.ts';
import { boundsOf, fieldInput } from './field-input.ts';

export type Prompts = {
  readonly say: (text: string, kind?: 'step' | 'info' | 'warn' | 'error' | 'success') => void;
  /** The chosen action; undefined to leave the session unchanged. */
  readonly action: (step: StepSpec) => Promise<string | undefined>;
  /** `problem`: why the last value was rejected. */
  readonly field: (field: Field, before: unknown, problem: string | undefined) => Promise<unknown>;
  readonly confirm: (question: string) => Promise<boolean>;
  readonly secret: (question: string) => Promise<string>;
  readonly line: (question: string, form: RegExp, wrong: string) => Promise<string | undefined>;
};

/** Ctrl-C in a question ends the command; the session does not change. */
export function createPrompts({ input, output }: PromptStreams, signal: AbortSignal): Prompts {
  const common = { input, output, signal };

  async function asked<T>(answer: Promise<T>): Promise<Exclude<T, symbol>> {
    const given = await answer;
    signal.throwIfAborted();
    if (isAnswer(given)) return given;
    throw new CliProblem('interrupted', '');
  }

  const prompts: Prompts = {
    say: (said, kind = 'info') => log[kind](plainLines(said), { output }),
    async action({ actions }) {
      const options = actions.map(({ actionId, label }) => ({ value: actionId, label: plainText(label) }));
      const chosen = await asked(
        select({ ...common, message: 'What next?', options: [...options, { value: '', label: 'Leave it for now' }] }),
      );
      return chosen === '' ? undefined : chosen;
    },
    async field(field, before, problem) {
      const message = questionOf(field, problem);
      const options = (field.options ?? []).map(({ value, label }) => ({ value, label: plainText(label) }));
      const isNeeded = field.required === true;
      switch (field.type) {
        case 'boolean': {
          if (isNeeded) return asked(confirm({ ...common, message, initialValue: before === true }));
          const answers = [
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
            { value: '', label: 'No answer' },
          ];
          const chosen = await asked(
            select({
              ...common,
              message,
              options: answers,
              initialValue: before === undefined ? '' : String(before === true),
            }),
          );
          return chosen === '' ? undefined : chosen === 'true';
        }
        case 'select': {
          // The prompt has no "no option"; this marker is a text that no option can have.
          const all = isNeeded ? options : [...options, { value: nothing, label: 'Nothing' }];
          const initial = typeof before === 'string' ? { initialValue: before } : {};
          const chosen = await asked(select({ ...common, message, options: all, maxItems: 12, ...initial }));
          return chosen === nothing ? undefined : chosen;
        }
        case 'multiselect': {
          const initialValues = Array.isArray(before) ? before.map(String) : [];
          const chosen = await asked(
            multiselect({ ...common, message, options, required: isNeeded, maxItems: 12, initialValues }),
          );
          return chosen.length === 0 ? undefined : chosen;
        }
        case 'secret':
          return (await asked(password({ ...common, message, validate: needed(isNeeded) }))) || undefined;
        default: {
          const initialValue = before === undefined ? '' : typeof before === 'string' ? before : JSON.stringify(before);
          const validate = (value: string | undefined) => {
            const read = fieldInput(field, value ?? '');
            if (!read.ok) return read.problem;
            return isNeeded && read.value === undefined ? 'is required' : undefined;
          };
          const typed = await asked(text({ ...common, message, initialValue: plainText(initialValue), validate }));
          const read = fieldInput(field, typed ?? '');
          return read.ok ? read.value : undefined;
        }
      }
    },
    confirm: (question) => asked(confirm({ ...common, message: plainText(question), initialValue: false })),
    secret: (question) => asked(password({ ...common, message: plainText(question), validate: needed(true) })),
    async line(question, form, wrong) {
      const validate = (value: string | undefined) =>
        (value ?? '') === '' || form.test(value ?? '') ? undefined : wrong;
      return (await asked(text({ ...common, message: plainText(question), validate }))) || undefined;
    },
  };
  return prompts;
}

/** A text with a control character, which no option's value contains. */
const nothing = '\u0000';

function isAnswer<T>(value: T): value is Exclude<T, symbol> {
  return !isCancel(value);
}

function needed(isNeeded: boolean) {
  return (value: string | undefined) => (isNeeded && (value ?? '') === '' ? 'is required' : undefined);
}

/** Label, typed text, help and problem, one below the other. */
function questionOf(field: Field, problem: string | undefined): string {
  const bounds = boundsOf(field);
  const facts = [formOf(field), bounds, field.required === true ? '' : 'optional'].filter((each) => each !== '');
  const help = field.help === undefined || field.help === '' ? [] : [field.help];
  const wrong = problem === undefined ? [] : [`It ${problem}.`];
  const label = facts.length === 0 ? field.label : `${plainText(field.label)} (${facts.join(', ')})`;
  return [plainText(label), ...help.map(plainLines), ...wrong.map(plainText)].join('\n');
}

const forms: Readonly<Partial<Record<Field['type'], string>>> = {
  number: 'a number',
  date: 'YYYY-MM-DD',
  address: '0x…',
  amount: 'an amount, such as 0.5',
  signature: 'a signature, 0x…',
  signedTransaction: 'a signed transaction, 0x…',
  txHash: 'a transaction hash, 0x…',
  json: 'JSON',
};

function formOf({ type }: Field): string {
  return forms[type] ?? '';
}
