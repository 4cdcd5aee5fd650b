/** JSON from outside: strict UTF-8, bounded depth, and numbers that a double represents exactly. */

import { beginsNumber, endOfNumber, isExactAsDouble } from './json-number.ts';
import { placesIn } from './json-places.ts';
import { comma, quote } from './json-scan.ts';
import { endOfText } from './valid-json.ts';

/** Far less than the depth at which recursion fails (JSON.stringify fails at some ten thousand levels). */
export const maxJsonDepth = 128;

export const notJson = 'is not JSON';

/**
 * For a request's body. A typical one has some dozens; parsing and checking this many takes some twenty milliseconds,
 * for any values (docs/decisions/0042).
 */
export const maxRequestValues = 25_000;

/** The maximum number of places that a sentence names. */
const maxPlaces = 5;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type JsonTextOptions = {
  /**
   * Whether a sentence may show a member's name; a path ends before the first name that it may not show. Default: none.
   */
  readonly shows?: (name: string) => boolean;
  /** Default `maxJsonDepth`; other values are for texts that are not read recursively. */
  readonly maxDepth?: number;
  /** The maximum number of values, nested ones included; default: unlimited. */
  readonly maxValues?: number;
};

/**
 * A string result is the problem; it contains nothing of the text except names of members that may be shown. A number
 * that a double would change is refused: its sender has to use a string.
 */
export function parseJsonBytes(bytes: Uint8Array, options: JsonTextOptions = {}): { readonly value: unknown } | string {
  const { maxDepth = maxJsonDepth, maxValues = Number.POSITIVE_INFINITY } = options;
  const found = scan(bytes, maxDepth, maxValues);
  if (found === 'deep') return `is nested deeper than ${maxDepth} levels`;
  if (found === 'many') return `holds more than ${maxValues} values`;
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return found.length === 0 ? { value } : sentenceOf(bytes, found, options);
  } catch {
    return notJson;
  }
}

function sentenceOf(bytes: Uint8Array, numbers: readonly number[], { shows = () => false }: JsonTextOptions): string {
  const places = placesIn(bytes, numbers.slice(0, maxPlaces), shows).filter((place) => place !== '');
  const where = places.length === 0 ? '' : ` at ${[...new Set(places)].join(', ')}`;
  return `holds a number${where} that a 64-bit float would change: send it as a string`;
}

/**
 * Counts brackets, commas and numbers outside strings, in one pass that ends when a bound is exceeded. For valid JSON this is exact, except that an empty list or
 * object counts as two. In UTF-8 no other character contains an ASCII byte.
 */
function scan(bytes: Uint8Array, maxDepth: number, maxValues: number): 'deep' | 'many' | readonly number[] {
  const changed: number[] = [];
  let values = 1;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] ?? 0;
    if (code === quote) at = endOfText(bytes, at, bytes.length) - 1;
    // `[` and `{` differ in one bit, and so do `]` and `}`.
    else if ((code | 32) === 123) {
      if (++depth > maxDepth) return 'deep';
      if (++values > maxValues) return 'many';
    } else if (code === comma) {
      if (++values > maxValues) return 'many';
    } else if ((code | 32) === 125) depth--;
    else if (beginsNumber(code)) {
      const end = endOfNumber(bytes, at);
      if (changed.length < maxPlaces && !isExactAsDouble(bytes, at, end)) changed.push(at);
      at = end - 1;
    }
  }
  return changed;
}
