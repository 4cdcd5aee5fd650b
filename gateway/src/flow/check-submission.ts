/** What a caller submits, held against the step it is for (decisions 8, Fields). */

import type { Field, JsonMembers, StepSpec } from '@flowgate/client/flow-wire';
import { member } from '../access/json-object.ts';
import { ok, type Result, refused } from '../platform/result.ts';
import { isId } from './answer-reader.ts';
import { compilePattern, patternBudget, patternCost } from './field-pattern.ts';
import { fieldTypes } from './field-type.ts';
import { jsonProblem } from './json-limits.ts';
import { hasTooManyTexts, mostSecretTexts } from './secret-echo.ts';

/** What the patterns of this submission may still cost. */
type Budget = { left: number };

/**
 * The values as the app gets them: `null` means left out. With `validate: false` on the action they are not checked, but unknown fields are still refused.
 * The detail names the field and never holds a value.
 */
export function checkSubmission(
  step: Pick<StepSpec, 'fields' | 'actions'>,
  actionId: string,
  fieldValues: JsonMembers,
): Result<JsonMembers, 'bad-request'> {
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
  if (action.validate === false) return ok(values);
  const budget: Budget = { left: patternBudget };
  for (const field of step.fields) {
    const problem = fieldProblem(field, member(values, field.fieldId), budget);
    if (problem !== undefined) return refused('bad-request', `field ${field.fieldId} ${problem}`);
  }
  return ok(values);
}

function fieldProblem(field: Field, value: unknown, budget: Budget): string | undefined {
  if (value === undefined || (field.required === true && isEmpty(field, value)))
    return field.required === true ? 'is required' : undefined;
  return fieldTypes[field.type].problem(value, field) ?? patternProblem(field, value, budget);
}

/** A form that was sent as it was shown: nothing was filled in. Any JSON is a value of a `json` field. */
function isEmpty({ type }: Field, value: unknown): boolean {
  return type !== 'json' && (value === '' || (Array.isArray(value) && value.length === 0));
}

function patternProblem({ pattern }: Field, value: unknown, budget: Budget): string | undefined {
  if (pattern === undefined || typeof value !== 'string') return undefined;
  const compiled = compilePattern(pattern);
  // A step's patterns were compiled when it was rendered; one that no longer does matches nothing.
  if (compiled === undefined) return 'must match its pattern';
  budget.left -= patternCost(compiled, value);
  if (budget.left < 0) return 'is too long for its pattern';
  return compiled.matches(value) ? undefined : 'must match its pattern';
}
