/** Finds a submitted secret in what an app would show: values of `secret` fields appear in no session, event or answer (decisions 8). */

import type { JsonMembers, StepSpec } from '@flowgate/client/flow-wire';
import { member } from '../../access/json-object.ts';
import { createTextSearch } from './text-search.ts';

export const secretEchoRule = 'secret-echo';

/** From this length on a secret is found inside of longer texts; a shorter one would be found by chance. */
const containedFromLength = 6;
/** So much of a longer one gives it away. */
const comparedLength = 64;

/** Texts and numbers, as text, that were submitted in secret fields; what the step shows already is none of them. */
export function secretsOf(step: StepSpec, fieldValues: JsonMembers): readonly string[] {
  const secretFields = step.fields.filter(({ type }) => type === 'secret').map(({ fieldId }) => fieldId);
  if (secretFields.length === 0) return [];
  const shown = new Set([...textsIn(step)].map(({ text }) => text));
  const submitted = secretFields.flatMap((fieldId) => [...textsIn(member(fieldValues, fieldId))]);
  return [...new Set(submitted.map(({ text }) => text))].filter((text) => text !== '' && !shown.has(text));
}

/** Beyond this many texts a value is no secret that somebody typed; looking for each of them would hold everybody up. */
export const mostSecretTexts = 1_000;

/** Whether a value submitted in a secret field holds more texts than are looked for. */
export function hasTooManyTexts(value: unknown): boolean {
  let count = 0;
  for (const _ of textsIn(value)) if (++count > mostSecretTexts) return true;
  return false;
}

/** JSON pointer to a text of these parts of an answer that gives a secret away. The pointer itself holds none. */
export function findSecretEcho(answer: JsonMembers, secrets: readonly string[]): string | undefined {
  if (secrets.length === 0) return undefined;
  const whole = new Set(secrets);
  const holdsAny = createTextSearch(
    secrets.filter(({ length }) => length >= containedFromLength).map((secret) => secret.slice(0, comparedLength)),
  );
  for (const { text, place } of textsIn(answer)) if (whole.has(text) || holdsAny(text)) return pointerTo(place);
  return undefined;
}

/** A value and where it stands. */
type Place = { readonly value: unknown; readonly name: string; readonly within: Place | undefined };

/** Names of members are texts too. A list of what is to be looked at instead of recursion: answers may be nested deeper than the stack is. */
function* textsIn(answer: unknown): Generator<{ readonly text: string; readonly place: Place }> {
  const left: Place[] = [{ value: answer, name: '', within: undefined }];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const { value } = place;
    if (typeof value === 'string') yield { text: value, place };
    else if (typeof value === 'number') yield { text: String(value), place };
    else if (Array.isArray(value))
      for (let at = 0; at < value.length; at++) left.push({ value: value[at], name: String(at), within: place });
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        yield { text: name, place };
        left.push({ value: inner, name, within: place });
      }
  }
}

/** Made only for what was found: answers have hundreds of thousands of places. */
function pointerTo(place: Place): string {
  const names: string[] = [];
  for (let at = place; at.within !== undefined; at = at.within) names.push(at.name);
  return names
    .reverse()
    .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
