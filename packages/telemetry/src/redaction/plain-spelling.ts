/** One spelling for equivalent texts: escapes of JSON and URLs are decoded, letters are lower case. Maps each character to its origin. */

export type PlainSpelling = {
  readonly text: string;
  /** The index of the original at which the character at `at` begins, its escape included; for `text.length` the original's length. */
  readonly from: (at: number) => number;
};

/** How often escapes of escapes are decoded: more levels do not occur in practice. */
const maxRounds = 4;

/** Decodes `\u0041`, `\/`, `\"` and `%41`, even when escaped repeatedly, and lowers the case. Linear in the text. */
export function plainSpelling(original: string): PlainSpelling {
  if (!original.includes('\\') && !original.includes('%')) return { text: smallLetters(original), from: (at) => at };
  const units = new Uint16Array(original.length);
  const starts = new Uint32Array(original.length + 1);
  for (let at = 0; at < original.length; at++) {
    units[at] = original.charCodeAt(at);
    starts[at] = at;
  }
  let length = original.length;
  for (let round = 0, before = -1; round < maxRounds && before !== length; round++) {
    before = length;
    length = undoOnce(units, starts, length);
  }
  starts[length] = original.length;
  const text = Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
  return { text: smallLetters(text), from: (at) => starts[at] ?? original.length };
}

/** ASCII only when other letters would change the length. */
function smallLetters(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const backslash = 0x5c;
const percent = 0x25;
const letterU = 0x75;

/**
 * Decodes in place, since writing never overtakes reading; returns the number of units left. A backslash belongs to the
 * character after it.
 */
function undoOnce(units: Uint16Array, starts: Uint32Array, length: number): number {
  let written = 0;
  for (let at = 0; at < length; written += 1) {
    const start = starts[at] ?? 0;
    const from = at;
    while (at < length && units[at] === backslash) at += 1;
    if (at === length) break;
    const digits = at > from && units[at] === letterU ? 4 : units[at] === percent ? 2 : 0;
    const value = digits === 0 ? -1 : hexadecimal(units, at + 1, Math.min(at + 1 + digits, length), digits);
    units[written] = value < 0 ? (units[at] ?? 0) : value;
    starts[written] = start;
    at += value < 0 ? 1 : 1 + digits;
  }
  return written;
}

/** Returns -1 when there are fewer than `digits` hexadecimal digits. */
function hexadecimal(units: Uint16Array, from: number, to: number, digits: number): number {
  if (to - from !== digits) return -1;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = digitOf(units[at] ?? 0);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** Returns -1 for a character that is not a hexadecimal digit. */
function digitOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const small = unit | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1;
}
