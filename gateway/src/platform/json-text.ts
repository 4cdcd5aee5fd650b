/** JSON that came from outside: strictly UTF-8, and no deeper than what it is later walked by can stand. */

/** Far below where recursion over it ends (JSON.stringify gives up at some ten thousand levels). */
export const MOST_JSON_DEPTH = 128;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const QUOTE = 34;
const BACKSLASH = 92;

/** A string says what is wrong with it, in words that hold nothing of it. */
export function parseJsonBytes(bytes: Uint8Array): { readonly value: unknown } | string {
  if (nestsDeeper(bytes, MOST_JSON_DEPTH)) return `is nested deeper than ${MOST_JSON_DEPTH} levels`;
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return 'is not JSON';
  }
}

/** Brackets outside strings; of valid JSON this is exact. UTF-8 never holds an ASCII byte within another character. */
function nestsDeeper(bytes: Uint8Array, most: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] ?? 0;
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    // `[` and `{` differ in one bit, and so do `]` and `}`.
    else if ((code | 32) === 123) {
      if (++depth > most) return true;
    } else if ((code | 32) === 125) depth--;
  }
  return false;
}
