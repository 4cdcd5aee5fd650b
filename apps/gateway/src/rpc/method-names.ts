/** Caches the names of methods. Clients use the same few names, and a cached string has its hash already computed. */

import { ByteRange } from '@flowgate/bytes/byte-range';
import { decodeString } from '@flowgate/json/json-members';
import { byteAt } from '@flowgate/json/json-scan';

/** In bytes: longer than the name of any real method. */
const longest = 64;
/**
 * In bytes of the JSON string. Of a longer string only the beginning is decoded. It has at least 257 characters: more
 * than any forwarded method, and as many as an error shows.
 */
const maxDecodedBytes = 257 * '\\u0061'.length;
/** A power of two. A new name replaces the cached name in the same slot. */
const places = 256;
const seen = new Array<string>(places).fill('');

/**
 * The decoded name from the valid JSON string in `bytes[start, end)`. Of a name that is too long for any method, only
 * the beginning.
 */
export function methodName(bytes: Uint8Array, start: number, end: number): string {
  const from = start + 1;
  const length = end - start - 2;
  if (length > maxDecodedBytes) return beginningOf(bytes, start);
  if (length > longest) return textOf(bytes, start, end);
  const place = (byteAt(bytes, end - 2) * 31 + byteAt(bytes, from + (length >> 1)) * 7 + length) & (places - 1);
  const known = seen[place] ?? '';
  if (isAt(bytes, from, length, known)) return known;
  const name = textOf(bytes, start, end);
  // A name with escapes is shorter than its spelling. It is not cached, because spellings are compared with cached
  // names.
  if (name.length === length) seen[place] = name;
  return name;
}

/**
 * A cached name has only ASCII characters, because its length equals its spelling in bytes. So no other byte equals one
 * of its characters.
 */
function isAt(bytes: Uint8Array, from: number, length: number, known: string): boolean {
  if (known.length !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[from + at] !== known.charCodeAt(at)) return false;
  return true;
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return decodeString(new ByteRange(bytes, start, end).text());
}

/** The beginning of a string. The cut is never within an escape or a character. */
function beginningOf(bytes: Uint8Array, start: number): string {
  let at = start + 1;
  for (const end = at + maxDecodedBytes; at < end; ) {
    if (byteAt(bytes, at) !== 0x5c) at += 1;
    else at += byteAt(bytes, at + 1) === 0x75 ? 6 : 2;
  }
  while ((byteAt(bytes, at) & 0xc0) === 0x80) at += 1;
  return decodeString(`${new ByteRange(bytes, start, at).text()}"`);
}
