/** What a caller submits, held against the step it is for (decisions 8, Fields). */

import type { Field, JsonMembers, StepSpec } from '@flowgate/client/flow-wire';
import { member } from '../../access/json-object.ts';
import { ok, type Result, refused } from '../../platform/result.ts';
import { isId } from '../answers/answer-reader.ts';
import { jsonProblem } from '../answers/json-limits.ts';
import { hasTooManyTexts, mostSecretTexts } from '../answers/secret-echo.ts';
import { type PatternedText, patternProblem } from './field-pattern.ts';
import { fieldTypes } from './field-type.ts';

/** The values as the app gets them, and those that are still to match their patterns: that may take long, and is done apart. */
export type CheckedValues = { readonly values: JsonMembers; readonly patterned: readonly PatternedText[] };

/** All of it at once. */
export function checkSubmission(...submission: Parameters<typeof checkValues>): Result<JsonMembers, 'bad-request'> {
  const checked = checkValues(...submission);
  if (!checked.ok) return checked;
  const problem = patternProblem(checked.value.patterned);
  return problem === undefined ? ok(checked.value.values) : refused('bad-request', problem);
}

/**
 * The values as the app gets them: `null` means left out. With `validate: false` on the action they are not checked, but unknown fields are still refused.
 * The detail names the field and never holds a value.
 */
export function checkValues(
  step: Pick<StepSpec, 'fields' | 'actions'>,
  actionId: string,
  fieldValues: JsonMembers,
): Result<CheckedValues, 'bad-request'> {
  const action = step.actions.find((each) => each.actionId === actionId);
  if (action === undefined) return refused('bad-request', 'actionId is not one of the actions of this step');
  const given = Object.entries(fieldValues).filter(([, value]) => value !== null && value !== undefined);
  const fields = new Map(step.fields.map((field) => [field.fieldId, field]));
  for (const name of Object.keys(fieldValues))
    if (!fields.has(name))
      return refused(
        'bad-request',
        `${isId(name) ? `field ${name}` : 'a field of fieldValues'} is not a field of this step`,
      );
  const values = Object.fromEntries(given);
  const unfit = given.find(([, value]) => jsonProblem(value) !== undefined);
  if (unfit !== undefined) return refused('bad-request', `field ${unfit[0]} ${jsonProblem(unfit[1])}`);
  const crowded = step.fields.find(
    ({ fieldId, type }) => type === 'secret' && hasTooManyTexts(member(values, fieldId)),
  );
  if (crowded !== undefined)
    return refused('bad-request', `field ${crowded.fieldId} must not hold more than ${mostSecretTexts} texts`);
  if (action.validate === false) return ok({ values, patterned: [] });
  for (const field of step.fields) {
    const problem = fieldProblem(field, member(values, field.fieldId));
    if (problem !== undefined) return refused('bad-request', `field ${field.fieldId} ${problem}`);
  }
  return ok({ values, patterned: patternedIn(step.fields, values) });
}

function fieldProblem(field: Field, value: unknown): string | undefined {
  if (value === undefined || (field.required === true && isEmpty(field, value)))
    return field.required === true ? 'is required' : undefined;
  return fieldTypes[field.type].problem(value, field);
}

/** A form that was sent as it was shown: nothing was filled in. Any JSON is a value of a `json` field. */
function isEmpty({ type }: Field, value: unknown): boolean {
  return type !== 'json' && (value === '' || (Array.isArray(value) && value.length === 0));
}

function patternedIn(fields: StepSpec['fields'], values: JsonMembers): readonly PatternedText[] {
  return fields.flatMap(({ fieldId, pattern }) => {
    const text = member(values, fieldId);
    return pattern === undefined || typeof text !== 'string' ? [] : { fieldId, pattern, text };
  });
}
