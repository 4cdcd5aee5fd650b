/** Caches the names of methods: the same few come again and again, and each is one string whose hash is already computed. */

import { ByteRange } from '../platform/bytes/byte-range.ts';
import { decodeString } from '../platform/json/json-members.ts';
import { byteAt } from '../platform/json/json-scan.ts';

/** In bytes: longer than the name of any real method. */
const longest = 64;
/** A power of two. A name replaces another one in the same place. */
const places = 256;
const seen = new Array<string>(places).fill('');

/** The decoded name of the valid JSON string in `bytes[start, end)`. */
export function methodName(bytes: Uint8Array, start: number, end: number): string {
  const from = start + 1;
  const length = end - start - 2;
  if (length > longest) return textOf(bytes, start, end);
  const place = (byteAt(bytes, end - 2) * 31 + byteAt(bytes, from + (length >> 1)) * 7 + length) & (places - 1);
  const known = seen[place] ?? '';
  if (isAt(bytes, from, length, known)) return known;
  const name = textOf(bytes, start, end);
  // A name with escapes is shorter than its spelling. It is not cached, because cached names are compared with spellings.
  if (name.length === length) seen[place] = name;
  return name;
}

/** Other bytes than ASCII equal no character of a cached name: its length is that of its spelling in bytes. */
function isAt(bytes: Uint8Array, from: number, length: number, known: string): boolean {
  if (known.length !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[from + at] !== known.charCodeAt(at)) return false;
  return true;
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return decodeString(new ByteRange(bytes, start, end).text());
}
