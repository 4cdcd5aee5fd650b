/** Reads untrusted JSON member by member: every problem is noted with its JSON pointer, and no text that was read is in it. */

import { isJsonObject, type JsonObject, member } from '../../api/json-object.ts';
import { isFieldId } from '../fields/field-id.ts';

/** A value and where it stands; `problems` is shared by all that read one answer. */
export type Place = { readonly value: unknown; readonly at: string; readonly problems: string[] };

/** An own member; `null` means left out, as in every body (contract/conventions#members). */
export function at({ value, at, problems }: Place, name: string): Place {
  const found = isJsonObject(value) ? member(value, name) : undefined;
  return { value: found === null ? undefined : found, at: `${at}/${name}`, problems };
}

export const isLeftOut = ({ value }: Place): boolean => value === undefined;

/** What is wrong, as the rest of a sentence that begins with the member's name. The first one counts. */
export function note({ at, problems }: Place, problem: string): void {
  problems.push(`${at} ${problem}`);
}

/** Undefined when it is left out; otherwise `read`. */
export function optional<T>(place: Place, read: (place: Place) => T): T | undefined {
  return isLeftOut(place) ? undefined : read(place);
}

/** Lengths count UTF-16 units. After a problem the stand-in is empty. */
export function readText(place: Place, { min, max }: { readonly min: number; readonly max: number }): string {
  const { value } = place;
  if (typeof value !== 'string') note(place, isLeftOut(place) ? 'is required' : 'must be a string');
  else if (value.length < min || value.length > max) note(place, `must have ${min} to ${max} characters`);
  else return value;
  return '';
}

export function readId(place: Place): string {
  const id = readText(place, { min: 1, max: 128 });
  if (id !== '' && !isFieldId(id))
    note(place, 'may hold letters, digits and . _ : / $ - only, and must not be __proto__');
  return id;
}

export function readFlag(place: Place): boolean {
  if (typeof place.value !== 'boolean') note(place, 'must be true or false');
  return place.value === true;
}

/** Kept whole, with whatever members it has. */
export function readObject(place: Place): JsonObject {
  if (isJsonObject(place.value)) return place.value;
  note(place, isLeftOut(place) ? 'is required' : 'must be an object');
  return {};
}

export function readList<T>(place: Place, max: number, read: (place: Place) => T): readonly T[] {
  const { value, at, problems } = place;
  if (!Array.isArray(value)) note(place, isLeftOut(place) ? 'is required' : 'must be an array');
  else if (value.length > max) note(place, `must have at most ${max} entries`);
  else return value.map((entry: unknown, nth) => read({ value: entry, at: `${at}/${nth}`, problems }));
  return [];
}

export function noteRepeated(place: Place, ids: readonly string[], what: string): void {
  if (new Set(ids).size < ids.length) note(place, `must have each ${what} once only`);
}
