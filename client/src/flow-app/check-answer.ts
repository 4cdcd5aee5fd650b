/** Checks an app's answer against the contract before it is sent, and describes each problem for the author (contract/flow-apps#answers). */

import { isObject } from '../shape.ts';
import { checkField } from './check-field.ts';
import {
  at,
  checkEachOnce,
  checkFlag,
  checkId,
  checkJson,
  checkObject,
  checkText,
  entriesOf,
  ifThere,
  isLeftOut,
  note,
  type Place,
} from './json-reader.ts';

/** The declarations of the app's version; omitted ones are not checked. */
export type Declared = {
  readonly stepIds?: readonly string[] | undefined;
  readonly eventTypes?: readonly string[] | undefined;
};

/** Maximum bytes of an answer, and of its step and its events. */
export const maxAnswerBytes = 1_048_576;
export const maxStoredBytes = 262_144;

export type CheckedAnswer =
  | { readonly ok: true; readonly text: string; readonly isRefusal: boolean }
  | { readonly ok: false; readonly problems: readonly string[] };

/** `text` is the answer as JSON. `isRefusal`: it has `errors`, so the session does not change. Never throws. */
export function checkAnswer(answer: unknown, declared: Declared = {}): CheckedAnswer {
  const written = writtenAs(answer);
  if (!written.ok) return { ok: false, problems: [written.problem] };
  const { text } = written;
  const problems: string[] = [];
  const whole: Place = { value: JSON.parse(text), at: '', problems };
  if (!isObject(whole.value)) return { ok: false, problems: ['The answer must be a JSON object.'] };
  const bytes = bytesOf(text);
  if (bytes > maxAnswerBytes) note(whole, `must be at most ${maxAnswerBytes} bytes of JSON, and is ${bytes}`);
  checkJson(whole);
  for (const stored of ['step', 'events']) checkSize(at(whole, stored));
  if (problems.length > 0) return { ok: false, problems: problems.map(named) };
  const errors = at(whole, 'errors');
  const isRefusal = Array.isArray(errors.value) && errors.value.length > 0;
  ifThere(errors, checkErrors);
  if (!isRefusal) checkStepAnswer(whole, declared);
  return problems.length === 0 ? { ok: true, text, isRefusal } : { ok: false, problems: problems.map(named) };
}

/** The pointer of the whole answer is empty. */
function named(problem: string): string {
  return problem.startsWith(' ') ? `The answer${problem}` : problem;
}

function writtenAs(answer: unknown): { ok: true; text: string } | { ok: false; problem: string } {
  try {
    const text = JSON.stringify(answer, (name, value: unknown) => {
      if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${name} is ${value}`);
      return value;
    });
    if (typeof text === 'string') return { ok: true, text };
  } catch (error) {
    return { ok: false, problem: `The answer is not JSON: ${error instanceof Error ? error.message : 'unknown'}` };
  }
  return { ok: false, problem: 'The answer is not JSON: nothing was returned.' };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function checkSize(place: Place): void {
  const bytes = isLeftOut(place) ? 0 : bytesOf(JSON.stringify(place.value));
  if (bytes > maxStoredBytes) note(place, `must be at most ${maxStoredBytes} bytes of JSON, and is ${bytes}`);
}

function checkErrors(place: Place): void {
  for (const error of entriesOf(place, 100)) {
    if (!checkObject(error)) continue;
    ifThere(at(error, 'fieldId'), checkId);
    checkText(at(error, 'message'), { min: 1, max: 2_000 });
  }
}

function checkStepAnswer(answer: Place, { stepIds, eventTypes }: Declared): void {
  const step = at(answer, 'step');
  checkStep(step, stepIds);
  const status = at(answer, 'status');
  const isKnown = isLeftOut(status) || ['active', 'completed', 'failed'].some((each) => each === status.value);
  if (!isKnown) note(status, 'must be active, completed or failed');
  const continues = (isLeftOut(status) || status.value === 'active') && at(step, 'terminal').value !== true;
  const actions = at(step, 'actions').value;
  if (continues && Array.isArray(actions) && actions.length === 0)
    note(at(step, 'actions'), 'must have at least one entry unless the session ends here (terminal: true)');
  ifThere(at(answer, 'state'), checkObject);
  ifThere(at(answer, 'appData'), checkAppData);
  ifThere(at(answer, 'events'), (events) => {
    for (const event of entriesOf(events, 100)) {
      if (!checkObject(event)) continue;
      const type = at(event, 'type');
      if (checkText(type, { min: 1, max: 200 }) && eventTypes?.includes(String(type.value)) === false)
        note(type, 'is not a type that the version declares: the gateway would drop the event');
      checkObject(at(event, 'data'));
    }
  });
}

const conditionTypes: readonly unknown[] = ['boolean', 'select', 'multiselect', 'text', 'number'];

/** A condition must name an earlier field. */
function checkConditions(fields: readonly Place[]): void {
  const earlier = new Map<unknown, unknown>();
  for (const field of fields) {
    const condition = at(field, 'visibleWhen');
    if (isObject(condition.value) && !conditionTypes.includes(earlier.get(at(condition, 'fieldId').value)))
      note(condition, `must name an earlier field of the types ${conditionTypes.join(', ')}`);
    earlier.set(at(field, 'fieldId').value, at(field, 'type').value);
  }
}

export function checkStep(place: Place, stepIds: readonly string[] | undefined): void {
  if (!checkObject(place)) return;
  const stepId = at(place, 'stepId');
  if (checkText(stepId, { min: 1, max: 64 }) && stepIds?.includes(String(stepId.value)) === false)
    note(stepId, 'is not a step that the version declares');
  checkText(at(place, 'title'), { min: 1, max: 500 });
  ifThere(at(place, 'description'), (text) => checkText(text, { min: 0, max: 20_000 }));
  ifThere(at(place, 'terminal'), checkFlag);
  for (const name of ['options', 'transaction', 'channels']) ifThere(at(place, name), checkObject);
  ifThere(at(place, 'payment'), (payment) => {
    const accepts = at(payment, 'accepts').value;
    if (!Array.isArray(accepts) || accepts.length < 1 || accepts.length > 16 || !accepts.every(isObject))
      note(payment, "must be x402's { accepts: [PaymentRequirements] }, 1 to 16 of them");
  });
  const fields = entriesOf(at(place, 'fields'), 100);
  for (const field of fields) checkField(field);
  checkEachOnce(fields, 'fieldId');
  checkConditions(fields);
  const actions = entriesOf(at(place, 'actions'), 50);
  for (const action of actions) {
    if (!checkObject(action)) continue;
    checkId(at(action, 'actionId'));
    checkText(at(action, 'label'), { min: 1, max: 500 });
    ifThere(at(action, 'validate'), checkFlag);
  }
  checkEachOnce(actions, 'actionId');
}

function checkAppData(place: Place): void {
  if (!checkObject(place)) return;
  ifThere(at(place, 'set'), (set) => {
    if (!checkObject(set)) return;
    const names = Object.keys(set.value ?? {});
    if (names.length > 1_000) note(set, 'must have at most 1000 members');
    if (!names.every(isDataName)) note(set, `has a name that ${dataNameRule}`);
  });
  ifThere(at(place, 'delete'), (list) => {
    for (const name of entriesOf(list, 1_000))
      if (checkText(name, { min: 1, max: 256 }) && !isDataName(String(name.value))) note(name, dataNameRule);
  });
}

const dataNameRule = 'must have 1 to 256 characters, no control characters, and must not be __proto__';

function isDataName(name: string): boolean {
  return name.length >= 1 && name.length <= 256 && !/\p{Cc}/u.test(name) && name !== '__proto__';
}
