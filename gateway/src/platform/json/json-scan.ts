/** Scans JSON (RFC 8259) in a string without building it: iterative, strict, and at memory speed through long strings. */

/** The most arrays and objects open at once; a text that nests deeper is invalid. The longest real calls nest fewer than ten. */
export const maxDepth = 128;
/** A node's answer may nest deeper: a trace has two levels for each of the EVM's 1,024 call frames. */
export const maxAnswerDepth = 8_192;

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** After this many plain characters in a row, a search is faster than the loop (measured: names and methods are shorter, hashes are longer). */
const searchAfter = 16;
const endOfRun = /["\\\u0000-\u001f]/g;

/** The closing brackets that the open arrays and objects wait for. One array for all scans: a scan is synchronous and starts no other. */
const closers = new Uint8Array(maxAnswerDepth);

/** The UTF-16 unit at `at`. After the end it is 0, which JSON allows only as an escape. */
export function unitAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}

/** The index of the first character at or after `at` that is not a space, tab, LF or CR. */
export function skipSpace(text: string, at: number): number {
  let i = at;
  for (;;) {
    const unit = unitAt(text, i);
    if (unit > 0x20 || (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09)) return i;
    i++;
  }
}

function isDigit(unit: number): boolean {
  return unit >= zero && unit <= nine;
}

/** The index after the digits that begin at `at`, -1 when there is none. */
function skipDigits(text: string, at: number): number {
  let i = at;
  while (isDigit(unitAt(text, i))) i++;
  return i === at ? -1 : i;
}

/** The index after the number that begins at `at`, -1 when there is none. */
export function skipNumber(text: string, at: number): number {
  let i = unitAt(text, at) === minus ? at + 1 : at;
  i = unitAt(text, i) === zero ? i + 1 : skipDigits(text, i);
  if (i < 0) return -1;
  if (unitAt(text, i) === dot) {
    i = skipDigits(text, i + 1);
    if (i < 0) return -1;
  }
  const exponent = unitAt(text, i);
  if (exponent !== 0x65 && exponent !== 0x45) return i;
  const sign = unitAt(text, i + 1);
  return skipDigits(text, sign === 0x2b || sign === minus ? i + 2 : i + 1);
}

function isHexDigit(unit: number): boolean {
  return isDigit(unit) || (unit >= 0x61 && unit <= 0x66) || (unit >= 0x41 && unit <= 0x46);
}

/** The index after the escape whose backslash is at `at`, -1 when it is not one of JSON's. */
function skipEscape(text: string, at: number): number {
  switch (unitAt(text, at + 1)) {
    case quote:
    case backslash:
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 2;
    case 0x75: // u
      for (let i = at + 2; i < at + 6; i++) if (!isHexDigit(unitAt(text, i))) return -1;
      return at + 6;
    default:
      return -1;
  }
}

/** The index after the string whose opening quote is at `at`, -1 when it is not one. */
export function skipString(text: string, at: number): number {
  if (unitAt(text, at) !== quote) return -1;
  let i = at + 1;
  let searchFrom = i + searchAfter;
  for (;;) {
    const unit = unitAt(text, i);
    if (unit === quote) return i + 1;
    if (unit < 0x20) return -1;
    if (unit === backslash) {
      i = skipEscape(text, i);
      if (i < 0) return -1;
      searchFrom = i + searchAfter;
    } else if (i < searchFrom) {
      i++;
    } else {
      endOfRun.lastIndex = i;
      if (!endOfRun.test(text)) return -1;
      i = endOfRun.lastIndex - 1;
    }
  }
}

/** The index of the value after the member name and colon at `at`, -1 when they are missing. */
function skipName(text: string, at: number): number {
  const end = skipString(text, at);
  return end < 0 ? -1 : skipColon(text, end);
}

/** The index of the value after the colon that follows a member's name, which ends at `end`; -1 when there is no colon. */
export function skipColon(text: string, end: number): number {
  const colonAt = skipSpace(text, end);
  return unitAt(text, colonAt) === colon ? skipSpace(text, colonAt + 1) : -1;
}

function skipLiteral(text: string, at: number, unit: number): number {
  if (unit === 0x74) return text.startsWith('true', at) ? at + 4 : -1;
  if (unit === 0x66) return text.startsWith('false', at) ? at + 5 : -1;
  return unit === 0x6e && text.startsWith('null', at) ? at + 4 : -1;
}

function skipScalar(text: string, at: number, unit: number): number {
  return unit === minus || isDigit(unit) ? skipNumber(text, at) : skipLiteral(text, at, unit);
}

/**
 * The index after the value that begins at `at` (white space before it is not skipped), or -1 when it is not valid JSON. It may nest `levels` arrays and objects, at
 * most `maxAnswerDepth`.
 */
export function skipValue(text: string, at: number, levels = maxDepth): number {
  return skipValues(text, at, levels, 0);
}

/** The index after the object whose next member's value begins at `at`, or -1. The rest may nest `levels` deep. */
export function skipRestOfObject(text: string, at: number, levels: number): number {
  return skipValues(text, at, levels, closeBrace);
}

/**
 * Scans the values from `at` to the bracket that closes `outer`, or one value when that is 0. One loop without calls between values: a body may consist of millions
 * of one-digit numbers.
 */
function skipValues(text: string, at: number, levels: number, outer: number): number {
  let depth = 0;
  /** The bracket that closes the innermost open array or object. */
  let closer = outer;
  let i = at;
  for (;;) {
    let unit = unitAt(text, i);
    if (unit === openBrace || unit === openBracket) {
      if (depth >= levels) return -1;
      i = skipSpace(text, i + 1);
      if (unitAt(text, i) !== unit + 2) {
        closers[depth++] = closer;
        closer = unit + 2; // ] and } both come two after their opener
        if (closer === closeBrace) i = skipName(text, i);
        if (i < 0) return -1;
        continue;
      }
      i++;
    } else if (unit === quote) i = skipString(text, i);
    else if (unit > zero && unit <= nine) {
      const start = i++;
      while (isDigit(unitAt(text, i))) i++;
      if (isNumberGoingOn(unitAt(text, i))) i = skipNumber(text, start);
    } else i = skipScalar(text, i, unit);
    if (i < 0) return -1;
    for (;;) {
      if (closer === 0) return i;
      unit = unitAt(text, i);
      if (unit <= 0x20) {
        i = skipSpace(text, i);
        unit = unitAt(text, i);
      }
      if (unit === comma) break;
      if (unit !== closer) return -1;
      i++;
      if (depth === 0) return i;
      closer = closers[--depth] ?? 0;
    }
    i++;
    if (unitAt(text, i) <= 0x20) i = skipSpace(text, i);
    if (closer === closeBrace) i = skipName(text, i);
    if (i < 0) return -1;
  }
}

/** Whether the number goes on after the digits of its integer: with a point or an exponent. */
function isNumberGoingOn(unit: number): boolean {
  return unit === dot || unit === 0x65 || unit === 0x45;
}

/** Whether only white space follows `at`. */
export function endsAt(text: string, at: number): boolean {
  return skipSpace(text, at) === text.length;
}
