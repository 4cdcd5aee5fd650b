/** `--set`, `--set-file` and `--action`: values and actions that are given before the questions. */

import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '@flowgate/base/text';
import type { Field, StepSpec } from '@flowgate/client';
import { CliProblem } from '../cli-problem.ts';
import { fieldInput } from './field-input.ts';

export type Given = {
  /** The value of a field; undefined when none is given. Throws `CliProblem` for an invalid value. */
  readonly valueOf: (step: StepSpec, field: Field) => unknown;
  /** The given action of a step, or its only action. Throws `CliProblem` when several of its actions are given. */
  readonly actionOf: (step: StepSpec) => string | undefined;
  /** Given names that no step has requested. */
  readonly unused: () => readonly string[];
};

const maxFileBytes = 1_048_576;

/** `set`, `files`: `field=value`, `field=PATH`; `step.field=…` applies to one step only. */
export function givenValues(set: readonly string[], files: readonly string[], actions: readonly string[]): Given {
  const texts = new Map<string, { readonly text: string; readonly isArgument: boolean }>();
  const take = (entry: string, option: string, text: (value: string) => string, isArgument: boolean) => {
    const at = entry.indexOf('=');
    if (at < 1) throw new CliProblem('usage', `${option} is field=value, or step.field=value`);
    texts.set(entry.slice(0, at), { text: text(entry.slice(at + 1)), isArgument });
  };
  for (const entry of set) take(entry, '--set', (value) => value, true);
  for (const entry of files) take(entry, '--set-file', readText, false);
  const used = new Set<string>();
  return {
    valueOf({ stepId }, field) {
      const name = [`${stepId}.${field.fieldId}`, field.fieldId].find((each) => texts.has(each));
      const given = name === undefined ? undefined : texts.get(name);
      if (name === undefined || given === undefined) return undefined;
      used.add(name);
      if (field.type === 'secret' && given.isArgument)
        throw new CliProblem(
          'usage',
          `${field.fieldId} is a secret, and other users can see arguments`,
          `Use --set-file ${field.fieldId}=PATH.`,
        );
      const read = fieldInput(field, given.text);
      if (!read.ok) throw new CliProblem('usage', `${field.fieldId} ${read.problem}`);
      return read.value;
    },
    actionOf({ stepId, actions: there }) {
      const named = there.filter(
        ({ actionId }) => actions.includes(actionId) || actions.includes(`${stepId}.${actionId}`),
      );
      for (const { actionId } of named) used.add(actionId).add(`${stepId}.${actionId}`);
      const exact = named.find(({ actionId }) => actions.includes(`${stepId}.${actionId}`));
      if (exact === undefined && named.length > 1)
        throw new CliProblem(
          'usage',
          `the step ${stepId} has several of the actions that --action names`,
          `Name one: --action ${stepId}.${named[0]?.actionId}`,
        );
      return (exact ?? named[0] ?? (there.length === 1 ? there[0] : undefined))?.actionId;
    },
    unused: () => [...texts.keys(), ...actions].filter((name) => !used.has(name)),
  };
}

function readText(path: string): string {
  try {
    if (statSync(path).size > maxFileBytes) throw new Error('it is larger than any value');
    const text = readFileSync(path, 'utf8');
    // An editor's final line break is not part of the value.
    return text.endsWith('\n') ? text.slice(0, -1).replace(/\r$/, '') : text;
  } catch (error) {
    throw new CliProblem('usage', `${path} cannot be read: ${messageOf(error)}`);
  }
}
