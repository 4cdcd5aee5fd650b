/** Finds submitted secrets in what an app would show. A value of a `secret` field never appears in a session, event, query or response (contract/flow-apps#secrets). */

import { type JsonObject, member } from '@flowgate/json/json-object';
import { createMarkSearch } from './mark-search.ts';
import type { SecretScan } from './secret-mark.ts';

/** Maximum number of texts in all secret fields of one submission. A person does not type more, and the gateway searches all later responses for each of them. */
export const maxSecretTexts = 100;

/** A step, of which only the fields matter here. */
type StepWithFields = { readonly fields: readonly { readonly fieldId: string; readonly type: string }[] };

/** The texts and numbers submitted in secret fields, as texts, without those that the step already shows. */
export function secretsOf(step: StepWithFields, fieldValues: JsonObject): readonly string[] {
  const secretFields = step.fields.filter(({ type }) => type === 'secret').map(({ fieldId }) => fieldId);
  if (secretFields.length === 0) return [];
  const shown = new Set([...textsIn(step)].map(({ text }) => text));
  const submitted = secretFields.flatMap((fieldId) => [...valuesIn(member(fieldValues, fieldId))]);
  return [...new Set(submitted)].filter((text) => text.trim() !== '' && !shown.has(text));
}

/** How many texts a submitted value contains. Counting stops above `maxSecretTexts`. */
export function countSecretTexts(value: unknown): number {
  let count = 0;
  for (const _ of valuesIn(value)) if (++count > maxSecretTexts) break;
  return count;
}

/** The JSON pointer of a text that contains a secret. The pointer itself contains none. */
export function findSecretEcho(answer: JsonObject, secrets: SecretScan): string | undefined {
  const holdsAny = createMarkSearch(secrets);
  if (holdsAny === undefined) return undefined;
  // Names and short texts repeat thousands of times.
  const known = new Set<string>();
  for (const { text, place } of textsIn(answer)) {
    if (known.has(text)) continue;
    if (holdsAny(text)) return pointerTo(place);
    known.add(text);
  }
  return undefined;
}

/** Returns a function that cuts a pointer before its first name that contains a secret, so that the pointer may be shown. */
export function cutPointers(secrets: SecretScan): (pointer: string) => string {
  const holdsAny = createMarkSearch(secrets);
  if (holdsAny === undefined) return (pointer) => pointer;
  return (pointer) => {
    const names = pointer.split('/');
    const end = names.findIndex((name) => holdsAny(name.replaceAll('~1', '/').replaceAll('~0', '~')));
    return end < 0 ? pointer : names.slice(0, end).join('/');
  };
}

/** A value and its position. */
type Place = { readonly value: unknown; readonly name: string; readonly within: Place | undefined };

/** Without member names, which are the structure of a secret and not the secret. */
function* valuesIn(value: unknown): Generator<string> {
  for (const { text, isName } of textsIn(value)) if (!isName) yield text;
}

/** Includes member names. Uses an explicit stack, because responses may be nested deeper than the call stack allows. */
function* textsIn(
  answer: unknown,
): Generator<{ readonly text: string; readonly place: Place; readonly isName: boolean }> {
  const left: Place[] = [{ value: answer, name: '', within: undefined }];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const { value } = place;
    if (typeof value === 'string') yield { text: value, place, isName: false };
    else if (typeof value === 'number') yield { text: String(value), place, isName: false };
    else if (Array.isArray(value))
      for (let at = 0; at < value.length; at++) left.push({ value: value[at], name: String(at), within: place });
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        yield { text: name, place, isName: true };
        left.push({ value: inner, name, within: place });
      }
  }
}

/** Built for a finding only, because responses have hundreds of thousands of places. */
function pointerTo(place: Place): string {
  const names: string[] = [];
  for (let at = place; at.within !== undefined; at = at.within) names.push(at.name);
  return names
    .reverse()
    .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
