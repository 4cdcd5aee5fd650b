/** Caches the names of methods: the same few come again and again, and each is one string whose hash is already computed. */

import { decodeString } from '../platform/json/json-members.ts';
import { unitAt } from '../platform/json/json-scan.ts';

/** In characters: longer than the name of any real method. */
const longest = 64;
/** A power of two. A name replaces another one in the same place. */
const places = 256;
const seen = new Array<string>(places).fill('');

/** The decoded name of the valid JSON string in `text[start, end)`. A short one is not a view into the text. */
export function methodName(text: string, start: number, end: number): string {
  const from = start + 1;
  const length = end - start - 2;
  if (length > longest) return decodeString(text.slice(start, end));
  const place = (unitAt(text, end - 2) * 31 + unitAt(text, from + (length >> 1)) * 7 + length) & (places - 1);
  const known = seen[place] ?? '';
  if (isAt(text, from, length, known)) return known;
  const name = decodeString(text.slice(start, end));
  // A name with escapes is shorter than its spelling. It is not cached, because cached names are compared with spellings.
  if (name.length !== length) return name;
  const own = Buffer.from(name, 'utf16le').toString('utf16le');
  seen[place] = own;
  return own;
}

function isAt(text: string, from: number, length: number, known: string): boolean {
  if (known.length !== length) return false;
  for (let at = 0; at < length; at++) if (text.charCodeAt(from + at) !== known.charCodeAt(at)) return false;
  return true;
}
