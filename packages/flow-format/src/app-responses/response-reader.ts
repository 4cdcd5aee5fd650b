/** Reads untrusted JSON member by member. Each problem is recorded with its JSON pointer and repeats no text. */

import { isJsonObject, type JsonObject, member } from '@flowgate/json/json-object';
import { isFieldId } from '../fields/field-id.ts';

/** A value and its JSON pointer. All places of one response share `problems`. */
export type Place = { readonly value: unknown; readonly at: string; readonly problems: string[] };

/** The place of an own member. `null` counts as absent, as in every body (contract/conventions#members). */
export function at({ value, at, problems }: Place, name: string): Place {
  const found = isJsonObject(value) ? member(value, name) : undefined;
  return { value: found === null ? undefined : found, at: `${at}/${name}`, problems };
}

export const isAbsent = ({ value }: Place): boolean => value === undefined;

/** Records a problem: `problem` is the rest of a sentence that begins with the pointer. Only the first problem of a response is reported. */
export function note({ at, problems }: Place, problem: string): void {
  problems.push(`${at} ${problem}`);
}

/** Undefined if the member is absent; otherwise the result of `read`. */
export function optional<T>(place: Place, read: (place: Place) => T): T | undefined {
  return isAbsent(place) ? undefined : read(place);
}

/** Lengths count UTF-16 units. Returns an empty text after a problem. */
export function readText(place: Place, { min, max }: { readonly min: number; readonly max: number }): string {
  const { value } = place;
  if (typeof value !== 'string') note(place, isAbsent(place) ? 'is required' : 'must be a string');
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

/** Returns the object unchanged, with all members. */
export function readObject(place: Place): JsonObject {
  if (isJsonObject(place.value)) return place.value;
  note(place, isAbsent(place) ? 'is required' : 'must be an object');
  return {};
}

export function readList<T>(place: Place, max: number, read: (place: Place) => T): readonly T[] {
  const { value, at, problems } = place;
  if (!Array.isArray(value)) note(place, isAbsent(place) ? 'is required' : 'must be an array');
  else if (value.length > max) note(place, `must have at most ${max} entries`);
  else return value.map((entry: unknown, nth) => read({ value: entry, at: `${at}/${nth}`, problems }));
  return [];
}

export function noteRepeated(place: Place, ids: readonly string[], what: string): void {
  if (new Set(ids).size < ids.length) note(place, `must have each ${what} once only`);
}
