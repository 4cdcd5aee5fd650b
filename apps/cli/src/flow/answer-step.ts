/** Answers a step with given values or by asking the user. Without a terminal, reports the missing values. */

import type { Field, JsonMembers, Session, StepSpec } from '@flowgate/client';
import { type FlowAnswer, type StepAsked, visibleFields } from '@flowgate/client/flow';
import { CliProblem } from '../cli-problem.ts';
import { signature } from './consent.ts';
import { reportedTransaction } from './sign-prepared.ts';
import type { Walk } from './walk.ts';

async function showStep({ cli, prompts, report }: Walk, { currentStep, ...session }: Session): Promise<void> {
  const { title, description, warnings = [], transaction } = currentStep;
  await report({ type: 'step', sessionId: session.sessionId, stateVersion: session.stateVersion, step: currentStep });
  if (cli.output.isJson()) return;
  const lines = [title, ...(description === undefined || description === '' ? [] : [description])];
  const notes = warnings.map(({ message }) => `Careful: ${message}`);
  if (prompts !== undefined) {
    prompts.say(lines.join('\n'), 'step');
    for (const note of notes) prompts.say(note, 'warn');
    if (transaction !== undefined) prompts.say(reportedTransaction(transaction).join('\n'), 'info');
    return;
  }
  await cli.output.say(title, 'bold');
  for (const line of lines.slice(1)) await cli.output.say(line);
  for (const note of notes) await cli.output.say(note, 'yellow');
}

export async function answerStep(walk: Walk, asked: StepAsked): Promise<FlowAnswer | undefined> {
  const { prompts } = walk;
  const { session, findings, error } = asked;
  const step = session.currentStep;
  await showStep(walk, session);
  if (prompts === undefined && (findings.length > 0 || error !== undefined)) {
    // A program would give the same wrong answer again.
    const problems = findings.map(({ fieldId, message }) => `${fieldId === undefined ? '' : `${fieldId} `}${message}`);
    throw new CliProblem('refused', problems.length > 0 ? problems.join('; ') : (error?.message ?? 'refused'));
  }
  if (findings.length === 0 && error !== undefined) prompts?.say(error.message, 'error');
  for (const { fieldId, message } of findings) if (fieldId === undefined) prompts?.say(message, 'error');
  // Only the wrong values are asked for again.
  const before = walk.answered?.stateVersion === session.stateVersion ? walk.answered : undefined;
  const isAgain =
    before !== undefined &&
    findings.length > 0 &&
    findings.every(({ fieldId }) => step.fields.some((field) => field.fieldId === fieldId));
  const actionId = isAgain ? before.actionId : await actionFor(walk, step);
  if (actionId === undefined) return undefined;
  const isChecked = step.actions.find((each) => each.actionId === actionId)?.validate !== false;
  const fieldValues = isChecked
    ? await valuesFor(walk, step, findings, actionId, isAgain ? before.values : undefined)
    : givenOnly(walk, step);
  walk.answered = { stateVersion: session.stateVersion, actionId, values: fieldValues };
  await walk.report({ type: 'submit', sessionId: session.sessionId, stepId: step.stepId, actionId });
  return { actionId, fieldValues };
}

/** Undefined when the user leaves. */
async function actionFor(walk: Walk, step: StepSpec): Promise<string | undefined> {
  const { given, options, prompts } = walk;
  const found = given.actionOf(step);
  const isNamed =
    found !== undefined && (options.action.includes(found) || options.action.includes(`${step.stepId}.${found}`));
  if (prompts !== undefined && !isNamed && (step.fields.length === 0 || found === undefined))
    return prompts.action(step);
  if (found !== undefined) return found;
  throw await missing(
    walk,
    step,
    [],
    `which action? ${step.actions.map((each) => each.actionId).join(', ')}: --action ID`,
  );
}

function givenOnly({ given }: Walk, step: StepSpec): JsonMembers {
  return Object.fromEntries(
    step.fields.flatMap((field) => {
      const value = field.type === 'signedTransaction' ? undefined : given.valueOf(step, field);
      return value === undefined ? [] : [[field.fieldId, value]];
    }),
  );
}

/** `before`: the last answer, of which only the wrong values are asked for again. */
async function valuesFor(
  walk: Walk,
  step: StepSpec,
  findings: StepAsked['findings'],
  actionId: string,
  before: JsonMembers | undefined,
): Promise<JsonMembers> {
  const values: Record<string, unknown> = {};
  const lacking: Field[] = [];
  for (const field of step.fields) {
    // `values` contains all earlier fields, and a condition refers to one of them.
    if (!visibleFields(step.fields, values).includes(field)) continue;
    const problem = findings.find(({ fieldId }) => fieldId === field.fieldId)?.message;
    const isUnchanged = before !== undefined && problem === undefined;
    const value = isUnchanged
      ? before[field.fieldId]
      : await valueFor(walk, step, field, problem, before?.[field.fieldId] ?? field.value);
    if (value !== undefined && value !== null) values[field.fieldId] = value;
    else if (field.required === true) lacking.push(field);
  }
  if (lacking.length === 0) return values;
  const names = lacking.map(({ fieldId, type }) => `${fieldId} (${type})`).join(', ');
  throw await missing(walk, step, lacking, `the step ${step.stepId} needs ${names} for ${actionId}`);
}

async function valueFor(
  walk: Walk,
  step: StepSpec,
  field: Field,
  problem: string | undefined,
  before: unknown,
): Promise<unknown> {
  const { given, prompts } = walk;
  const known = problem === undefined ? given.valueOf(step, field) : undefined;
  if (known !== undefined) return known;
  if (step.transaction !== undefined && field.type === 'signedTransaction') {
    const signed = await signature(walk, step.transaction);
    if (signed !== undefined) return signed;
  }
  return prompts === undefined ? field.value : prompts.field(field, before, problem);
}

/** The missing values, as options for the program's next attempt with `--session`. */
async function missing(
  { report }: Walk,
  { stepId }: StepSpec,
  fields: readonly Field[],
  message: string,
): Promise<CliProblem> {
  await report({ type: 'missing', stepId, fields });
  const advice = fields
    .map(({ fieldId, type }) => (type === 'secret' ? `--set-file ${fieldId}=PATH` : `--set ${fieldId}=…`))
    .join(' ');
  return new CliProblem('usage', message, advice === '' ? undefined : advice);
}
