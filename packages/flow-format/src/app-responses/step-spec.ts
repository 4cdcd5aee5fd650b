/** Validates a rendered step, which clients show and submissions are validated against (contract/flow-apps#answers). */

import { isJsonObject, member } from '@flowgate/json/json-object';
import { compileBudget, compileCost, compileUnitMs, maxPatternLength } from '../fields/field-pattern.ts';
import { conditionProblems } from '../fields/visible-fields.ts';
import { isPaymentOffer } from '../payment-offer.ts';
import { stepBounds } from './response-bounds.ts';
import {
  at,
  note,
  noteRepeated,
  optional,
  type Place,
  readFlag,
  readId,
  readList,
  readObject,
  readText,
} from './response-reader.ts';
import { readField } from './step-field.ts';
import type { StepAction, StepSpec } from './step-wire.ts';

/** Copies known members only; `options`, `payment`, `transaction` and `channels` are copied whole. */
export function readStep(place: Place, stepIds: readonly string[]): StepSpec {
  readObject(place);
  const stepId = readText(at(place, 'stepId'), { min: 1, max: 500 });
  if (stepId !== '' && !stepIds.includes(stepId)) note(at(place, 'stepId'), 'is not a step that the version declares');
  const title = readText(at(place, 'title'), stepBounds.title);
  const description = optional(at(place, 'description'), (text) => readText(text, stepBounds.description));
  const terminal = optional(at(place, 'terminal'), readFlag);
  const options = optional(at(place, 'options'), readObject);
  const payment = optional(at(place, 'payment'), readPayment);
  const transaction = optional(at(place, 'transaction'), readObject);
  const channels = optional(at(place, 'channels'), readObject);
  return {
    stepId,
    title,
    ...(description === undefined ? {} : { description }),
    fields: readFields(at(place, 'fields')),
    actions: readActions(at(place, 'actions')),
    ...(options === undefined ? {} : { options }),
    ...(payment === undefined ? {} : { payment }),
    ...(transaction === undefined ? {} : { transaction }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(channels === undefined ? {} : { channels }),
  };
}

function readFields(place: Place): StepSpec['fields'] {
  // Checked before any pattern is compiled, because compiling takes the time.
  if (patternsCost(place.value) > compileBudget) {
    note(place, 'must not have patterns that are so large together');
    return [];
  }
  const fields = readList(place, stepBounds.fields, readField);
  noteRepeated(
    place,
    fields.map(({ fieldId }) => fieldId),
    'fieldId',
  );
  for (const { place: nth, problem } of conditionProblems(fields))
    place.problems.push(`${place.at}/${nth}/visibleWhen ${problem}`);
  return fields;
}

/** The maximum of milliseconds for compiling the patterns of a response's step. `response` is not validated yet. */
export function compilingMs(response: unknown): number {
  const step = member(response, 'step');
  return isJsonObject(step) ? patternsCost(member(step, 'fields')) * compileUnitMs : 0;
}

/** `fields` is not validated yet. */
function patternsCost(fields: unknown): number {
  if (!Array.isArray(fields)) return 0;
  return fields.slice(0, stepBounds.fields).reduce((sum: number, field: unknown) => {
    const pattern = member(field, 'pattern');
    return sum + (typeof pattern === 'string' && pattern.length <= maxPatternLength ? compileCost(pattern) : 0);
  }, 0);
}

function readActions(place: Place): readonly StepAction[] {
  const actions = readList(place, stepBounds.actions, readAction);
  noteRepeated(
    place,
    actions.map(({ actionId }) => actionId),
    'actionId',
  );
  return actions;
}

function readAction(place: Place): StepAction {
  readObject(place);
  const actionId = readId(at(place, 'actionId'));
  const label = readText(at(place, 'label'), stepBounds.actionLabel);
  const validate = optional(at(place, 'validate'), readFlag);
  return validate === undefined ? { actionId, label } : { actionId, label, validate };
}

/** Checks the form only; `payment-offer` reads the offer. */
function readPayment(place: Place): StepSpec['payment'] {
  const payment = readObject(place);
  if (isJsonObject(place.value) && !isPaymentOffer(payment))
    note(place, 'must be { accepts: [PaymentRequirements] } as x402 has it');
  return payment;
}
