/** Validates a submission against its step (contract/sessions#fields). */

import { type Ok, ok } from '@flowgate/base/result';
import { type BodyProblem, type BodyRefusal, refusedFor } from '@flowgate/body-schema/body-problems';
import { type JsonObject, member } from '@flowgate/json/json-object';
import { countSecretTexts, maxSecretTexts } from '../secrets/secret-echo.ts';
import { isFieldId } from './field-id.ts';
import { type PatternedText, patternProblems } from './field-pattern.ts';
import { fieldTypes } from './field-type.ts';
import type { Field } from './field-wire.ts';
import { jsonProblem } from './json-limits.ts';
import { visibleFields } from './visible-fields.ts';

/** The members of a step that submissions are validated against. */
type CheckedStep = {
  readonly fields: readonly Field[];
  readonly actions: readonly { readonly actionId: string; readonly validate?: boolean }[];
};

/**
 * `values`: the values for the app. `problems`: at most one for each value. `patterned`: values without a problem that must still match their patterns. Patterns are checked
 * separately because that may take long.
 */
export type CheckedValues = {
  readonly values: JsonObject;
  readonly problems: readonly BodyProblem[];
  readonly patterned: readonly PatternedText[];
};

const tooManySecrets = `must not hold more than ${maxSecretTexts} texts, all secret fields together`;

/** The whole validation, including patterns, synchronously. */
export function checkSubmission(...submission: Parameters<typeof checkValues>): Ok<JsonObject> | BodyRefusal {
  const { values, problems, patterned } = checkValues(...submission);
  const all = [...problems, ...patternProblems(patterned)];
  return all.length === 0 ? ok(values) : refusedFor(all);
}

/**
 * `null` and the value of a hidden field count as absent. An action with `validate: false` skips validation, but unknown fields are still refused. Problems name the field and
 * never repeat a value.
 */
export function checkValues(step: CheckedStep, actionId: string, fieldValues: JsonObject): CheckedValues {
  const action = step.actions.find((each) => each.actionId === actionId);
  const given = Object.fromEntries(
    Object.entries(fieldValues).filter(([, value]) => value !== null && value !== undefined),
  );
  const fields = visibleFields(step.fields, given);
  const values = withoutHidden(step.fields, fields, given);
  const problems: BodyProblem[] = [];
  if (action === undefined) problems.push({ message: 'actionId is not one of the actions of this step' });
  problems.push(...strangers(step, fieldValues));
  let secretTexts = 0;
  const fit = fields.filter((field) => {
    // An unknown action is already reported, and does not say whether to validate.
    const isChecked = action !== undefined && action.validate !== false;
    const value = member(values, field.fieldId);
    if (field.type === 'secret' && value !== undefined) secretTexts += countSecretTexts(value);
    const isCrowded = field.type === 'secret' && secretTexts > maxSecretTexts;
    const message = isCrowded ? tooManySecrets : valueProblem(field, value, isChecked);
    if (message !== undefined) problems.push({ fieldId: field.fieldId, message });
    return isChecked && message === undefined;
  });
  return { values, problems, patterned: patternedIn(fit, values) };
}

/** Clients that do not evaluate conditions also send hidden fields. */
function withoutHidden(all: readonly Field[], visible: readonly Field[], values: JsonObject): JsonObject {
  if (visible.length === all.length) return values;
  const shown = new Set(visible.map(({ fieldId }) => fieldId));
  const hidden = new Set(all.flatMap(({ fieldId }) => (shown.has(fieldId) ? [] : [fieldId])));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.has(name)));
}

function strangers({ fields }: Pick<CheckedStep, 'fields'>, fieldValues: JsonObject): readonly BodyProblem[] {
  const known = new Set(fields.map(({ fieldId }) => fieldId));
  const unknown = Object.keys(fieldValues).filter((name) => !known.has(name));
  const named = unknown.filter(isFieldId).map((fieldId) => ({ fieldId, message: 'is not a field of this step' }));
  const message = 'a field of fieldValues is not a field of this step';
  return named.length === unknown.length ? named : [...named, { message }];
}

function valueProblem(field: Field, value: unknown, isChecked: boolean): string | undefined {
  const unfit = value === undefined ? undefined : jsonProblem(value);
  if (unfit !== undefined) return unfit;
  return isChecked ? fieldProblem(field, value) : undefined;
}

function fieldProblem(field: Field, value: unknown): string | undefined {
  if (value === undefined || (field.required === true && isEmpty(field, value)))
    return field.required === true ? 'is required' : undefined;
  return fieldTypes[field.type].problem(value, field);
}

/** Clients send an empty text or list for an empty field. For a `json` field these are values. */
function isEmpty({ type }: Field, value: unknown): boolean {
  return type !== 'json' && (value === '' || (Array.isArray(value) && value.length === 0));
}

function patternedIn(fields: readonly Field[], values: JsonObject): readonly PatternedText[] {
  return fields.flatMap(({ fieldId, pattern }) => {
    const text = member(values, fieldId);
    return pattern === undefined || typeof text !== 'string' ? [] : { fieldId, pattern, text };
  });
}
