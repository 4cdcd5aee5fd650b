/**
 * Scans JSON (RFC 8259) in UTF-8 bytes without building values: iterative and strict. The caller has checked that the
 * bytes are UTF-8: here any byte beyond ASCII may be part of a string.
 */

/**
 * The maximum number of arrays and objects open at once; a text that nests deeper is invalid. The longest real calls
 * nest fewer than ten.
 */
export const maxDepth = 128;
/** A node's answer may nest deeper: a trace has two levels for each of the EVM's 1,024 call frames. */
export const maxAnswerDepth = 8_192;

export const quote = 0x22;
export const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** The bytes that are valid in a string without an escape: all but the quote, the backslash and control characters. */
const isPlain = new Uint8Array(256).fill(1, 0x20);
isPlain[quote] = 0;
isPlain[backslash] = 0;

/**
 * The closing brackets of the open arrays and objects. One array for all scans: a scan is synchronous and calls nothing
 * else, so no `await` may occur within it. An array for each scan made a scan of nested values 8 to 100 % slower, bits
 * in local variables 20 to 180 %.
 */
const closers = new Uint8Array(maxAnswerDepth);

/** The byte at `at`. After the end it is 0, which JSON allows only as an escape. */
export function byteAt(bytes: Uint8Array, at: number): number {
  return at < bytes.length ? (bytes[at] ?? 0) : 0;
}

/** The index of the first byte at or after `at` that is not a space, tab, LF or CR. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  for (;;) {
    const byte = byteAt(bytes, i);
    if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) return i;
    i++;
  }
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

/** The index after the digits that begin at `at`, -1 when there is none. */
export function skipDigits(bytes: Uint8Array, at: number): number {
  const last = bytes.length;
  let i = at;
  while (i < last && isDigit(bytes[i] ?? 0)) i++;
  return i === at ? -1 : i;
}

/** The index after the number that begins at `at`, -1 when there is none. */
export function skipNumber(bytes: Uint8Array, at: number): number {
  let i = byteAt(bytes, at) === minus ? at + 1 : at;
  i = byteAt(bytes, i) === zero ? i + 1 : skipDigits(bytes, i);
  if (i < 0) return -1;
  if (byteAt(bytes, i) === dot) {
    i = skipDigits(bytes, i + 1);
    if (i < 0) return -1;
  }
  const exponent = byteAt(bytes, i);
  if (exponent !== 0x65 && exponent !== 0x45) return i;
  const sign = byteAt(bytes, i + 1);
  return skipDigits(bytes, sign === 0x2b || sign === minus ? i + 2 : i + 1);
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);
}

/** The index after the escape whose backslash is at `at`, -1 when JSON has no such escape. */
function skipEscape(bytes: Uint8Array, at: number): number {
  switch (byteAt(bytes, at + 1)) {
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
      for (let i = at + 2; i < at + 6; i++) if (!isHexDigit(byteAt(bytes, i))) return -1;
      return at + 6;
    default:
      return -1;
  }
}

/** The index after the string whose opening quote is at `at`, -1 when it is invalid. */
export function skipString(bytes: Uint8Array, at: number): number {
  if (byteAt(bytes, at) !== quote) return -1;
  const last = bytes.length;
  let i = at + 1;
  for (;;) {
    while (i < last && isPlain[bytes[i] ?? 0] === 1) i++;
    const byte = byteAt(bytes, i);
    if (byte === quote) return i + 1;
    if (byte !== backslash) return -1;
    i = skipEscape(bytes, i);
    if (i < 0) return -1;
  }
}

/** The index of the value after the member name and colon at `at`, -1 when they are missing. */
export function skipName(bytes: Uint8Array, at: number): number {
  const end = skipString(bytes, at);
  return end < 0 ? -1 : skipColon(bytes, end);
}

/** The index of the value after the colon that follows a member's name, which ends at `end`; -1 when there is no colon. */
export function skipColon(bytes: Uint8Array, end: number): number {
  const colonAt = skipSpace(bytes, end);
  return byteAt(bytes, colonAt) === colon ? skipSpace(bytes, colonAt + 1) : -1;
}

const literals = { t: Buffer.from('true'), f: Buffer.from('false'), n: Buffer.from('null') };

function skipLiteral(bytes: Uint8Array, at: number, byte: number): number {
  if (byte === 0x74) return isTextAt(bytes, at, literals.t) ? at + 4 : -1;
  if (byte === 0x66) return isTextAt(bytes, at, literals.f) ? at + 5 : -1;
  return byte === 0x6e && isTextAt(bytes, at, literals.n) ? at + 4 : -1;
}

/** Whether `expected` is at `at`. A loop, because a call to the runtime costs more than comparing so few bytes. */
export function isTextAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  const { length } = expected;
  if (at + length > bytes.length) return false;
  for (let n = 0; n < length; n++) if (bytes[at + n] !== expected[n]) return false;
  return true;
}

/** The index after the number or literal that begins at `at`, -1 when there is none. */
export function skipScalar(bytes: Uint8Array, at: number, byte: number): number {
  return byte === minus || isDigit(byte) ? skipNumber(bytes, at) : skipLiteral(bytes, at, byte);
}

/**
 * The index after the value that begins at `at` (white space before it is not skipped), or -1 when it is not valid JSON. It may nest `levels` arrays and objects, at
 * most `maxAnswerDepth`.
 */
export function skipValue(bytes: Uint8Array, at: number, levels = maxDepth): number {
  return skipValues(bytes, at, levels, 0);
}

/** The end of values that were scanned before, by the index of their beginning. */
export type KnownEnds = ReadonlyMap<number, number>;

/** The index after the object whose next member's value begins at `at`, or -1. The rest may nest `levels` deep. */
export function skipRestOfObject(bytes: Uint8Array, at: number, levels: number): number {
  return skipValues(bytes, at, levels, closeBrace);
}

/**
 * Scans the values from `at` to the bracket that closes `outer`, or one value when that is 0. One loop without calls between values: a body may consist of millions
 * of one-digit numbers.
 */
function skipValues(bytes: Uint8Array, at: number, levels: number, outer: number): number {
  let depth = 0;
  /** The bracket that closes the innermost open array or object. */
  let closer = outer;
  let i = at;
  for (;;) {
    let byte = byteAt(bytes, i);
    if (byte === openBrace || byte === openBracket) {
      if (depth >= levels) return -1;
      i = skipSpace(bytes, i + 1);
      if (byteAt(bytes, i) !== byte + 2) {
        closers[depth++] = closer;
        closer = byte + 2; // The codes of ] and } are both two above that of their opener.
        if (closer === closeBrace) i = skipName(bytes, i);
        if (i < 0) return -1;
        continue;
      }
      i++;
    } else if (byte === quote) i = skipString(bytes, i);
    else if (byte > zero && byte <= nine) {
      const start = i++;
      if (isDigit(byteAt(bytes, i))) i = skipDigits(bytes, i);
      if (isNumberContinued(byteAt(bytes, i))) i = skipNumber(bytes, start);
    } else i = skipScalar(bytes, i, byte);
    if (i < 0) return -1;
    for (;;) {
      if (closer === 0) return i;
      byte = byteAt(bytes, i);
      if (byte <= 0x20) {
        i = skipSpace(bytes, i);
        byte = byteAt(bytes, i);
      }
      if (byte === comma) break;
      if (byte !== closer) return -1;
      i++;
      if (depth === 0) return i;
      closer = closers[--depth] ?? 0;
    }
    i++;
    if (byteAt(bytes, i) <= 0x20) i = skipSpace(bytes, i);
    if (closer === closeBrace) i = skipName(bytes, i);
    if (i < 0) return -1;
  }
}

/** Whether the number continues after the digits of its integer: with a point or an exponent. */
function isNumberContinued(byte: number): boolean {
  return byte === dot || byte === 0x65 || byte === 0x45;
}

/** Whether only white space follows `at`. */
export function endsAt(bytes: Uint8Array, at: number): boolean {
  return skipSpace(bytes, at) === bytes.length;
}
