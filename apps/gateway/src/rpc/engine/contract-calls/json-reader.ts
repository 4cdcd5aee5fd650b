/**
 * Reads JSON that was found valid before (`rpc/message`), member by member and in one pass, for a reader that refuses whatever two readers could understand
 * differently. Every function returns where the next thing begins, or -1: not what was expected, or ambiguous.
 */

import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from '@flowgate/json/json-scan';

/** More members than any call has. */
const mostMembers = 64;
/** The most elements of an array that is read element by element: reading 100,000 holds up everybody for a third of a second. */
export const mostElements = 1_000;

export type JsonBytes = Uint8Array;

export function skipBlanks(json: JsonBytes, at: number): number {
  let i = at;
  while (i < json.length && (json[i] ?? 0) <= 0x20) i++;
  return i;
}

/** The index after the string at `at`. */
export function skipText(json: JsonBytes, at: number): number {
  for (let i = at + 1; i < json.length; i++) {
    const byte = json[i];
    if (byte === quote) return i + 1;
    if (byte === backslash) i++;
  }
  return -1;
}

/** The index after the value at `at`. */
export function skipAny(json: JsonBytes, at: number): number {
  let depth = 0;
  for (let i = at; i < json.length; ) {
    const byte = json[i];
    if (byte === quote) {
      i = skipText(json, i);
      if (i < 0 || depth === 0) return i;
      continue;
    }
    if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      // The end of what the value is in: it was a number or a literal.
      if (depth === 0) return i;
      depth--;
      if (depth === 0) return i + 1;
    } else if (depth === 0 && (byte === comma || (byte ?? 0) <= 0x20)) return i;
    i++;
  }
  return depth === 0 ? json.length : -1;
}

/** Reads the elements of the array at `at`: `read` gets the index of each. An empty array has none; one with more than any call has is refused. */
export function readElements(json: JsonBytes, at: number, read: (at: number, nth: number) => number): number {
  if (json[at] !== openBracket) return -1;
  let i = skipBlanks(json, at + 1);
  if (json[i] === closeBracket) return i + 1;
  for (let nth = 0; ; nth++) {
    i = nth < mostElements ? read(i, nth) : -1;
    if (i < 0) return -1;
    i = skipBlanks(json, i);
    if (json[i] === closeBracket) return i + 1;
    if (json[i] !== comma) return -1;
    i = skipBlanks(json, i + 1);
  }
}

/**
 * Reads the members of the object at `at`: `read` gets the name of each and the index of its value. Ambiguous are names with anything but letters, digits and `_`
 * (so with escapes, too), names that come twice, and those that differ from one of `known` only in letter case.
 */
export function readObject(
  json: JsonBytes,
  at: number,
  known: readonly string[],
  read: (name: string, at: number) => number,
): number {
  if (json[at] !== openBrace) return -1;
  let i = skipBlanks(json, at + 1);
  if (json[i] === closeBrace) return i + 1;
  const seen = new Set<string>();
  for (;;) {
    const name = plainText(json, i, isNameByte);
    if (name === undefined || seen.has(name) || seen.size >= mostMembers) return -1;
    if (!known.includes(name) && known.some((each) => each.toLowerCase() === name.toLowerCase())) return -1;
    seen.add(name);
    i = skipBlanks(json, i + name.length + 2);
    if (json[i] !== colon) return -1;
    i = read(name, skipBlanks(json, i + 1));
    if (i < 0) return -1;
    i = skipBlanks(json, i);
    if (json[i] === closeBrace) return i + 1;
    if (json[i] !== comma) return -1;
    i = skipBlanks(json, i + 1);
  }
}

/** The string at `at` when it has only such bytes, which no escape begins with; it ends two bytes after its length. Undefined for anything else. */
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

/** Whether an array or an object begins there. */
export function isNested(json: JsonBytes, at: number): boolean {
  return json[at] === openBracket || json[at] === openBrace;
}

function isNameByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f
  );
}
