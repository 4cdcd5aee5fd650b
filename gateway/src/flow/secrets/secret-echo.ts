/** Finds secrets that were submitted in what an app would show: values of `secret` fields appear in no session, event, query or answer, then or later (contract/flow-apps#secrets). */

import type { JsonMembers, StepSpec } from '@flowgate/client/flow-wire';
import { member } from '../../api/json-object.ts';
import { createMarkSearch } from './mark-search.ts';
import type { SecretScan } from './secret-mark.ts';

export const secretEchoRule = 'secret-echo';

/** Beyond this many texts, in all secret fields together, a submission holds no secrets that somebody typed; each is looked for from then on. */
export const mostSecretTexts = 100;

/** Texts and numbers, as text, that were submitted in secret fields; what the step shows already is none of them. */
export function secretsOf(step: StepSpec, fieldValues: JsonMembers): readonly string[] {
  const secretFields = step.fields.filter(({ type }) => type === 'secret').map(({ fieldId }) => fieldId);
  if (secretFields.length === 0) return [];
  const shown = new Set([...textsIn(step)].map(({ text }) => text));
  const submitted = secretFields.flatMap((fieldId) => [...valuesIn(member(fieldValues, fieldId))]);
  return [...new Set(submitted)].filter((text) => text.trim() !== '' && !shown.has(text));
}

/** How many texts a value that was submitted in a secret field holds; counting ends beyond `mostSecretTexts`. */
export function countSecretTexts(value: unknown): number {
  let count = 0;
  for (const _ of valuesIn(value)) if (++count > mostSecretTexts) break;
  return count;
}

/** JSON pointer to a text of these parts of an answer that gives a secret away. The pointer itself holds none. */
export function findSecretEcho(answer: JsonMembers, secrets: SecretScan): string | undefined {
  const holdsAny = createMarkSearch(secrets);
  if (holdsAny === undefined) return undefined;
  // Names and short texts are the same a thousand times.
  const known = new Set<string>();
  for (const { text, place } of textsIn(answer)) {
    if (known.has(text)) continue;
    if (holdsAny(text)) return pointerTo(place);
    known.add(text);
  }
  return undefined;
}

/** Pointers to parts of an answer that are not shown, in what is: each cut before the first name that holds a secret. */
export function cutPointers(secrets: SecretScan): (pointer: string) => string {
  const holdsAny = createMarkSearch(secrets);
  if (holdsAny === undefined) return (pointer) => pointer;
  return (pointer) => {
    const names = pointer.split('/');
    const end = names.findIndex((name) => holdsAny(name.replaceAll('~1', '/').replaceAll('~0', '~')));
    return end < 0 ? pointer : names.slice(0, end).join('/');
  };
}

/** A value and where it stands. */
type Place = { readonly value: unknown; readonly name: string; readonly within: Place | undefined };

/** Without names of members: they are the form of a secret, not the secret. */
function* valuesIn(value: unknown): Generator<string> {
  for (const { text, isName } of textsIn(value)) if (!isName) yield text;
}

/** Names of members are texts too. A list of what is to be looked at instead of recursion: answers may be nested deeper than the stack is. */
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

/** Made only for what was found: answers have hundreds of thousands of places. */
function pointerTo(place: Place): string {
  const names: string[] = [];
  for (let at = place; at.within !== undefined; at = at.within) names.push(at.name);
  return names
    .reverse()
    .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
