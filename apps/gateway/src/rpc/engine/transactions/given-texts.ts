/** The texts among a call's parameters, and in a result. */

import type { JsonText } from '../../../upstream/port/node-port.ts';

/** In bytes: no id of a transaction is longer, however it is escaped. */
const maxIdBytes = 1_024;

/** The first parameter of a list, if it is a string. */
export function firstOf(json: string): string | undefined {
  const given: unknown = JSON.parse(json);
  if (!Array.isArray(given)) return undefined;
  const [first]: readonly unknown[] = given;
  return typeof first === 'string' ? first : undefined;
}

/** The string of a list with nothing else. */
export function onlyOf(json: string): string | undefined {
  const given: unknown = JSON.parse(json);
  return Array.isArray(given) && given.length === 1 ? firstOf(json) : undefined;
}

/** A result that is a short string. */
export function shortTextOf(result: JsonText): string | undefined {
  if (result.length > maxIdBytes) return undefined;
  const text: unknown = JSON.parse(result.text());
  return typeof text === 'string' ? text : undefined;
}
