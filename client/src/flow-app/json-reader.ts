/** Reads JSON member by member, and notes each problem with its JSON pointer, in words for the author of an app. */

import { isObject } from '../shape.ts';

/** A value and its JSON pointer. All values of one answer share `problems`. */
export type Place = { readonly value: unknown; readonly at: string; readonly problems: string[] };

export type Range = { readonly min: number; readonly max: number };

export function at({ value, at, problems }: Place, name: string): Place {
  const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { value: found === null ? undefined : found, at: `${at}/${name}`, problems };
}

export function note({ at, problems }: Place, problem: string): void {
  problems.push(`${at} ${problem}`);
}

export const isLeftOut = ({ value }: Place): boolean => value === undefined;

export function ifThere(place: Place, check: (place: Place) => void): void {
  if (!isLeftOut(place)) check(place);
}

/** Whether it is a string of that length, in UTF-16 code units. */
export function checkText(place: Place, { min, max }: Range): boolean {
  const { value } = place;
  if (typeof value !== 'string') note(place, isLeftOut(place) ? 'is required' : 'must be a string');
  else if (value.length < min || value.length > max)
    note(place, `must have ${min} to ${max} characters, and has ${value.length}`);
  else return true;
  return false;
}

export function checkFlag(place: Place): void {
  if (typeof place.value !== 'boolean') note(place, 'must be true or false');
}

export function checkObject(place: Place): boolean {
  if (isObject(place.value)) return true;
  note(place, isLeftOut(place) ? 'is required' : 'must be an object');
  return false;
}

/** The entries; none unless the value is a list within the maximum length. */
export function entriesOf(place: Place, max: number): readonly Place[] {
  const { value, at, problems } = place;
  if (!Array.isArray(value)) note(place, isLeftOut(place) ? 'is required' : 'must be an array');
  else if (value.length > max) note(place, `must have at most ${max} entries, and has ${value.length}`);
  else return value.map((entry: unknown, nth) => ({ value: entry, at: `${at}/${nth}`, problems }));
  return [];
}

const idForm = /^[A-Za-z0-9._:/$-]{1,128}$/;

/** The id of a field or an action. */
export function checkId(place: Place): void {
  if (!checkText(place, { min: 1, max: 128 })) return;
  if (!idForm.test(String(place.value)) || place.value === '__proto__')
    note(place, 'may hold letters, digits and . _ : / $ - only, and must not be __proto__');
}

export function checkEachOnce(places: readonly Place[], name: string): void {
  const seen = new Set<unknown>();
  for (const place of places) {
    const id = at(place, name);
    if (seen.has(id.value) && !isLeftOut(id)) note(id, 'is there twice');
    seen.add(id.value);
  }
}

export const maxJsonDepth = 32;
export const maxJsonValues = 25_000;

/** Limits for every part of an answer: depth, number of values, complete surrogate pairs. Never throws. */
export function checkJson(place: Place): void {
  const problem = jsonProblem(place.value, 0, { left: maxJsonValues });
  if (problem !== undefined) note(place, problem);
}

function jsonProblem(value: unknown, depth: number, budget: { left: number }): string | undefined {
  if (typeof value === 'string') return unpaired.test(value) ? 'must be well-formed Unicode' : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === maxJsonDepth) return `must not nest deeper than ${maxJsonDepth} levels`;
  const values: readonly unknown[] = Object.values(value);
  budget.left -= values.length;
  if (budget.left < 0) return `must not hold more than ${maxJsonValues} values`;
  if (!Array.isArray(value) && Object.keys(value).some((name) => unpaired.test(name)))
    return 'must be well-formed Unicode';
  for (const each of values) {
    const problem = jsonProblem(each, depth + 1, budget);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const unpaired = /\p{Surrogate}/u;
