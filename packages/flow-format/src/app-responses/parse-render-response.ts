/** Validates an app response strictly before the gateway acts on it (contract/flow-apps#answers). */

import { isJsonObject, type JsonObject } from '@flowgate/json/json-object';
import { jsonProblem } from '../fields/json-limits.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { AppError, AppEvent, CheckedResponse, StepResponse } from './checked-response.ts';
import { responseBounds } from './response-bounds.ts';
import { at, isAbsent, note, optional, type Place, readId, readList, readObject, readText } from './response-reader.ts';
import { readStep } from './step-spec.ts';

/**
 * The limit of the step's JSON text, and of all events together. Every transition stores both until the session is removed; other members replace their predecessors. The limit
 * leaves room for a transaction that deploys the largest possible contract.
 */
export const maxStoredPartBytes = 262_144;

/**
 * Never throws. `raw` is JSON of bounded size that the content filter has not seen. An invalid response is described by its first problem and that problem's JSON pointer. The `value` of a
 * secret field is dropped, and so are events of types that `manifest` does not declare.
 */
export function parseRenderResponse(raw: unknown, manifest: Pick<Manifest, 'stepIds' | 'eventTypes'>): CheckedResponse {
  if (!isJsonObject(raw)) return invalid('it must be a JSON object');
  const unfit = jsonProblem(raw);
  if (unfit !== undefined) return invalid(`it ${unfit}`);
  const problems: string[] = [];
  const response: Place = { value: raw, at: '', problems };
  for (const part of ['step', 'events']) noteTooLarge(at(response, part));
  // First, so that no work is spent on a response that is refused anyway.
  const [tooLarge] = problems;
  if (tooLarge !== undefined) return invalid(tooLarge);
  const errors = optional(at(response, 'errors'), readErrors) ?? [];
  const checked: CheckedResponse =
    errors.length > 0 ? { kind: 'rejected', errors } : { kind: 'step', ...readResponse(response, manifest) };
  const [problem] = problems;
  return problem === undefined ? checked : invalid(problem);
}

function invalid(problem: string): CheckedResponse {
  return { kind: 'invalid', detail: `The Flow App's answer is invalid: ${problem}.` };
}

function readErrors(place: Place): readonly AppError[] {
  return readList(place, responseBounds.errors, (error) => {
    readObject(error);
    const fieldId = optional(at(error, 'fieldId'), readId);
    const message = readText(at(error, 'message'), responseBounds.errorMessage);
    return fieldId === undefined ? { message } : { fieldId, message };
  });
}

function readResponse(place: Place, { stepIds, eventTypes }: Pick<Manifest, 'stepIds' | 'eventTypes'>) {
  const step = readStep(at(place, 'step'), stepIds);
  const status = readStatus(at(place, 'status'), step.terminal === true);
  if (status === 'active' && step.actions.length === 0)
    note(at(at(place, 'step'), 'actions'), 'must have at least one entry unless the session ends here');
  const state = optional(at(place, 'state'), readObject);
  const appData = optional(at(place, 'appData'), readAppData) ?? { set: {}, delete: [] };
  const events = optional(at(place, 'events'), (list) => readList(list, responseBounds.events, readEvent)) ?? [];
  const isDeclared = ({ type }: AppEvent) => eventTypes.includes(type);
  const response: StepResponse = {
    step,
    ...(state === undefined ? {} : { state }),
    appData,
    events: events.filter(isDeclared),
    status,
  };
  return { response, undeclared: events.filter((event) => !isDeclared(event)).map(({ type }) => type) };
}

function noteTooLarge(place: Place): void {
  const bytes = isAbsent(place) ? 0 : Buffer.byteLength(JSON.stringify(place.value));
  if (bytes > maxStoredPartBytes) note(place, `must be at most ${maxStoredPartBytes} bytes of JSON, and is ${bytes}`);
}

/** A terminal step ends the session, regardless of `status`. */
function readStatus(place: Place, isTerminal: boolean): StepResponse['status'] {
  const byDefault = isTerminal ? 'completed' : 'active';
  const { value } = place;
  if (isAbsent(place) || value === 'active') return byDefault;
  if (value === 'completed' || value === 'failed') return value;
  note(place, 'must be active, completed or failed');
  return byDefault;
}

function readEvent(place: Place): AppEvent {
  readObject(place);
  return { type: readText(at(place, 'type'), responseBounds.eventType), data: readObject(at(place, 'data')) };
}

function readAppData(place: Place): StepResponse['appData'] {
  readObject(place);
  const set = optional(at(place, 'set'), readNamedValues) ?? {};
  const remove = optional(at(place, 'delete'), (list) =>
    readList(list, responseBounds.dataNames, (name) => {
      const text = readText(name, responseBounds.dataName);
      if (text !== '' && !isDataName(text)) note(name, dataNameRule);
      return text;
    }),
  );
  return { set, delete: remove ?? [] };
}

function readNamedValues(place: Place): JsonObject {
  const values = readObject(place);
  const names = Object.keys(values);
  if (names.length > responseBounds.dataNames) note(place, `must have at most ${responseBounds.dataNames} members`);
  else if (!names.every(isDataName)) note(place, `has a name that ${dataNameRule}`);
  return values;
}

const dataNameRule = 'must have 1 to 256 characters, no control characters, and must not be __proto__';

function isDataName(name: string): boolean {
  const { min, max } = responseBounds.dataName;
  return name.length >= min && name.length <= max && !/\p{Cc}/u.test(name) && name !== '__proto__';
}
