/** Finds a submitted secret in what an app would show: values of `secret` fields appear in no session, event or answer (decisions 8). */

import type { JsonMembers, StepSpec } from '@flowgate/client/flow-wire';
import { member } from '../access/json-object.ts';

export const secretEchoRule = 'secret-echo';

/** From this length on a secret is found inside of longer texts; a shorter one would be found by chance. */
const containedFromLength = 6;

/** Texts and numbers, as text, that were submitted in secret fields; what the step shows already is none of them. */
export function secretsOf(step: StepSpec, fieldValues: JsonMembers): readonly string[] {
  const secretFields = step.fields.filter(({ type }) => type === 'secret').map(({ fieldId }) => fieldId);
  if (secretFields.length === 0) return [];
  const shown = new Set([...textsIn(step)].map(({ text }) => text));
  const submitted = secretFields.flatMap((fieldId) => [...textsIn(member(fieldValues, fieldId))]);
  return [...new Set(submitted.map(({ text }) => text))].filter((text) => text !== '' && !shown.has(text));
}

/** JSON pointer to a text of these parts of an answer that gives a secret away. The pointer itself holds none. */
export function findSecretEcho(answer: JsonMembers, secrets: readonly string[]): string | undefined {
  if (secrets.length === 0) return undefined;
  for (const { text, pointer } of textsIn(answer))
    if (secrets.some((secret) => givesAway(text, secret))) return pointer;
  return undefined;
}

function givesAway(text: string, secret: string): boolean {
  return secret.length < containedFromLength ? text === secret : text.includes(secret);
}

/** Names of members are texts too. A list of what is to be looked at instead of recursion: answers may be nested deeper than the stack is. */
function* textsIn(value: unknown, pointer = ''): Generator<{ text: string; pointer: string }> {
  const left: { value: unknown; pointer: string }[] = [{ value, pointer }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next.value === 'string') yield { text: next.value, pointer: next.pointer };
    else if (typeof next.value === 'number') yield { text: String(next.value), pointer: next.pointer };
    else if (typeof next.value === 'object' && next.value !== null)
      for (const [name, inner] of Object.entries(next.value)) {
        const at = `${next.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        if (!Array.isArray(next.value)) yield { text: name, pointer: next.pointer };
        left.push({ value: inner, pointer: at });
      }
  }
}
