/** The gateway's checks in tests of an app: submissions before they are sent, and answers after they arrive. */

import type { JsonMembers, RenderResponse, StepSpec } from '../wire.ts';
import { maxAnswerBytes } from './check-answer.ts';
import { type ValueProblem, valueProblems } from './field-values.ts';

/** The app violated the contract: a gateway would answer 502, or the app would act twice. */
export class FlowAppTestError extends Error {
  override readonly name = 'FlowAppTestError';
}

export async function textOf(response: Response, failures: readonly unknown[]): Promise<string> {
  const text = await response.text();
  if (response.status < 200 || response.status > 299) {
    const cause = failures.at(-1);
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    throw new FlowAppTestError(`/renderStep answered ${response.status} ${text.slice(0, 500)}${why}`, { cause });
  }
  if (new TextEncoder().encode(text).length > maxAnswerBytes)
    throw new FlowAppTestError('The answer is larger than 1 MiB.');
  try {
    JSON.parse(text);
  } catch {
    throw new FlowAppTestError(`/renderStep answered ${response.status} with no JSON: ${text.slice(0, 500)}`);
  }
  return text;
}

export function submissionProblems(
  { fields, actions }: StepSpec,
  actionId: string,
  values: JsonMembers,
): readonly (Partial<ValueProblem> & Pick<ValueProblem, 'message'>)[] {
  const action = actions.find((each) => each.actionId === actionId);
  if (action === undefined) return [{ message: 'actionId is not one of the actions of this step' }];
  const known = new Set(fields.map(({ fieldId }) => fieldId));
  const strangers = Object.keys(values)
    .filter((name) => !known.has(name))
    .map((fieldId) => ({ fieldId, message: 'is not a field of this step' }));
  return action.validate === false ? strangers : [...strangers, ...valueProblems(fields, values)];
}

export function withoutNull(values: JsonMembers): JsonMembers {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}

/** The gateway searches for more spellings; an app that shows the literal secret already fails here. */
export function refuseEchoes({ fields }: StepSpec, values: JsonMembers, answer: RenderResponse): void {
  const shown = JSON.stringify([answer.step, answer.events ?? []]);
  for (const { fieldId, type } of fields) {
    const value = values[fieldId];
    if (type !== 'secret' || typeof value !== 'string' || value.length < 4) continue;
    if (shown.includes(JSON.stringify(value).slice(1, -1)))
      throw new FlowAppTestError(`The answer shows the value of the secret field ${fieldId}.`);
  }
}
