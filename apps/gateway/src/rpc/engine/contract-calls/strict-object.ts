/**
 * Reads objects in a call's parameters, and refuses text that two JSON parsers could understand differently. Every
 * function returns the index after the value, or -1 for unexpected or ambiguous text.
 */

import { closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from '@flowgate/json/json-scan';
import { endOfValue, skipBlank } from '@flowgate/json/valid-json';

/** More members than any real call has. */
const maxMembers = 64;
/**
 * The maximum number of elements that are read one by one. Reading 100,000 elements would delay every caller by a third
 * of a second.
 */
export const maxElements = 1_000;

/** The bytes of one valid JSON value (checked by `rpc/message`). */
export type JsonBytes = Uint8Array;

export const skipAny = (json: JsonBytes, at: number): number => endOfValue(json, at, json.length);

/**
 * Reads the elements of the array at `at`: `read` receives the index of each element. An array with more than
 * `maxElements` is refused.
 */
export function readElements(json: JsonBytes, at: number, read: (at: number, nth: number) => number): number {
  if (json[at] !== openBracket) return -1;
  let i = skipBlank(json, at + 1, json.length);
  if (json[i] === closeBracket) return i + 1;
  for (let nth = 0; ; nth++) {
    i = nth < maxElements ? read(i, nth) : -1;
    if (i < 0) return -1;
    i = skipBlank(json, i, json.length);
    if (json[i] === closeBracket) return i + 1;
    if (json[i] !== comma) return -1;
    i = skipBlank(json, i + 1, json.length);
  }
}

/**
 * Reads the members of the object at `at`: `read` receives each name and the index of its value. A name is ambiguous
 * when it has other characters than letters, digits and `_` (such as an escape), occurs twice, or differs from one of
 * `known` only in letter case.
 */
export function readObject(
  json: JsonBytes,
  at: number,
  known: readonly string[],
  read: (name: string, at: number) => number,
): number {
  if (json[at] !== openBrace) return -1;
  let i = skipBlank(json, at + 1, json.length);
  if (json[i] === closeBrace) return i + 1;
  const seen = new Set<string>();
  for (;;) {
    const name = plainText(json, i, isNameByte);
    if (name === undefined || seen.has(name) || seen.size >= maxMembers) return -1;
    if (!known.includes(name) && known.some((each) => each.toLowerCase() === name.toLowerCase())) return -1;
    seen.add(name);
    i = skipBlank(json, i + name.length + 2, json.length);
    if (json[i] !== colon) return -1;
    i = read(name, skipBlank(json, i + 1, json.length));
    if (i < 0) return -1;
    i = skipBlank(json, i, json.length);
    if (json[i] === closeBrace) return i + 1;
    if (json[i] !== comma) return -1;
    i = skipBlank(json, i + 1, json.length);
  }
}

/**
 * The string at `at`, when `isAllowed` accepts each of its bytes. No allowed byte may begin an escape, so the string
 * ends at its length plus two quotes. Undefined for other values.
 */
export function plainText(json: JsonBytes, at: number, isAllowed: (byte: number) => boolean): string | undefined {
  if (json[at] !== quote) return undefined;
  let i = at + 1;
  while (i < json.length && isAllowed(json[i] ?? 0)) i++;
  return json[i] === quote
    ? Buffer.from(json.buffer, json.byteOffset + at + 1, i - at - 1).toString('latin1')
    : undefined;
}

export function isNull(json: JsonBytes, at: number): boolean {
  return json[at] === 0x6e;
}

/** Whether an array or object begins at `at`. */
export function isNested(json: JsonBytes, at: number): boolean {
  return json[at] === openBracket || json[at] === openBrace;
}

function isNameByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f
  );
}
