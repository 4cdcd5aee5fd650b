/** Reads strings from a call's parameters and from a result. */

import type { JsonText } from '../../../upstream/port/node-port.ts';

/** In bytes: longer than any transaction id, even with escapes. */
const maxIdBytes = 1_024;

/** The first element of a JSON array, if that element is a string. */
export function firstOf(json: string): string | undefined {
  const given: unknown = JSON.parse(json);
  if (!Array.isArray(given)) return undefined;
  const [first]: readonly unknown[] = given;
  return typeof first === 'string' ? first : undefined;
}

/** The same, and undefined when the array has other elements. */
export function onlyOf(json: string): string | undefined {
  const given: unknown = JSON.parse(json);
  return Array.isArray(given) && given.length === 1 ? firstOf(json) : undefined;
}

/** The result's string. Undefined for other types and for long results. */
export function shortTextOf(result: JsonText): string | undefined {
  if (result.length > maxIdBytes) return undefined;
  const text: unknown = JSON.parse(result.text());
  return typeof text === 'string' ? text : undefined;
}
