/**
 * Reads JSON that was validated before, in one pass and without building values. The only state is an index: each
 * function receives where something begins, and returns where it ends. Linear, and fast for long strings.
 */

import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './json-scan.ts';

/**
 * In bytes. Longer strings are searched by the runtime: a call to it costs as much as a loop over some dozens of bytes.
 */
const longString = 128;

/** The index of the first byte at or after `at` that is not white space. */
export function skipBlank(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && (bytes[i] ?? 0) <= 0x20) i++;
  return i;
}

/** The index after the string at `at`; `end` when it does not end before. */
export function endOfText(bytes: Uint8Array, at: number, end: number): number {
  let i = at + 1;
  const searched = Math.min(end, i + longString);
  for (; i < searched; i++) {
    const byte = bytes[i];
    if (byte === quote) return i + 1;
    if (byte === backslash) i++;
  }
  if (i >= end) return end;
  // Long strings are hex data without escapes: they end at the next quote.
  const next = bytes.indexOf(quote, i);
  if (next < 0 || next >= end) return end;
  if (bytes[next - 1] !== backslash) return next + 1;
  for (; i < end; i++) {
    const byte = bytes[i];
    if (byte === quote) return i + 1;
    if (byte === backslash) i++;
  }
  return end;
}

/** The index after the value at `at`. */
export function endOfValue(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at];
  if (first === quote) return endOfText(bytes, at, end);
  let i = at;
  if (first !== openBrace && first !== openBracket) {
    while (i < end && !endsScalar(bytes[i] ?? 0)) i++;
    return i;
  }
  let depth = 0;
  while (i < end) {
    const byte = bytes[i];
    if (byte === quote) {
      i = endOfText(bytes, i, end);
      continue;
    }
    i++;
    if (byte === openBrace || byte === openBracket) depth++;
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return i;
  }
  return end;
}

/** Whether the byte may follow a number or a literal. */
function endsScalar(byte: number): boolean {
  return byte <= 0x20 || byte === comma || byte === closeBracket || byte === closeBrace;
}

/**
 * The index of the nth element, from 0, of the array that begins at `at`; -1 when there is no such element or no array.
 */
export function elementAt(bytes: Uint8Array, at: number, end: number, nth: number): number {
  if (bytes[at] !== openBracket) return -1;
  let i = skipBlank(bytes, at + 1, end);
  if (bytes[i] === closeBracket) return -1;
  for (let left = nth; left > 0; left--) {
    i = skipBlank(bytes, endOfValue(bytes, i, end), end);
    if (i >= end || bytes[i] !== comma) return -1;
    i = skipBlank(bytes, i + 1, end);
  }
  return i < end ? i : -1;
}

/**
 * Calls `read` with the indexes of the name (at its quote) and the value of each member of the object at `at`, until
 * `read` returns false. Returns false then, and when there is no object.
 */
export function eachMember(
  bytes: Uint8Array,
  at: number,
  end: number,
  read: (nameAt: number, nameEnd: number, valueAt: number, valueEnd: number) => boolean,
): boolean {
  if (bytes[at] !== openBrace) return false;
  let i = skipBlank(bytes, at + 1, end);
  if (bytes[i] === closeBrace) return true;
  while (i < end) {
    const nameEnd = endOfText(bytes, i, end);
    const colonAt = skipBlank(bytes, nameEnd, end);
    if (bytes[colonAt] !== colon) return false;
    const valueAt = skipBlank(bytes, colonAt + 1, end);
    const valueEnd = endOfValue(bytes, valueAt, end);
    if (!read(i, nameEnd, valueAt, valueEnd)) return false;
    i = skipBlank(bytes, valueEnd, end);
    if (bytes[i] === closeBrace) return true;
    if (bytes[i] !== comma) return false;
    i = skipBlank(bytes, i + 1, end);
  }
  return false;
}

/** Whether `bytes[start, end)` is this text. */
export function isExactly(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  if (end - start !== text.length) return false;
  for (let nth = 0; nth < text.length; nth++) if (bytes[start + nth] !== text[nth]) return false;
  return true;
}
