/** Finds numbers in JSON text that a reader of doubles (RFC 8259, 6) would silently change. */

const zero = 48;
const nine = 57;
const minus = 45;
const plus = 43;

/**
 * A double represents any decimal of this many digits exactly enough, while its exponent is in the range of normal
 * numbers.
 */
const sureDigits = 15;
const sureExponent = 250;
const maxDigits = 17;

const form = /^-?(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** The index after the number, or text like a number, that begins at `at` outside of strings. */
export function endOfNumber(bytes: Uint8Array, at: number): number {
  let end = at + 1;
  while (end < bytes.length && isNumberByte(bytes[end] ?? 0)) end++;
  return end;
}

export function beginsNumber(code: number): boolean {
  return code === minus || (code >= zero && code <= nine);
}

function isNumberByte(code: number): boolean {
  // Digits, `-`, `.`, `+`, `e`, `E`.
  return beginsNumber(code) || code === 46 || code === 43 || (code | 32) === 101;
}

/**
 * Whether the number has the same value after it is read as a double and written in the shortest form, as
 * JSON.stringify does. True for `1.10` and `1e3`; false for `9007199254740993`, `0.1000000000000000001` and `1e400`.
 * Invalid numbers are left to the parser.
 */
export function isExactAsDouble(bytes: Uint8Array, from: number, to: number): boolean {
  if (isSure(bytes, from, to)) return true;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  const exact = decimalOf(text);
  if (exact === undefined || exact.digits === '') return true;
  if (exact.digits.length > maxDigits) return false;
  const read = Number(text);
  const again = Number.isFinite(read) ? decimalOf(String(read)) : undefined;
  return again !== undefined && again.digits === exact.digits && again.exponent === exact.exponent;
}

/** Whether few digits and a small exponent prove it without a conversion. Few characters mean few digits. */
function isSure(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at < to && ((bytes[at] ?? 0) | 32) !== 101) at++;
  if (at - from > sureDigits) return false;
  const sign = bytes[at + 1];
  let exponent = 0;
  for (at += sign === minus || sign === plus ? 2 : 1; at < to; at++) {
    exponent = exponent * 10 + (bytes[at] ?? 0) - zero;
    if (exponent < 0 || exponent > sureExponent) return false;
  }
  return true;
}

/** The value without its sign: `digits`, which neither begin nor end with 0, times ten to the `exponent`. Zero has no digits. */
function decimalOf(text: string): { readonly digits: string; readonly exponent: number } | undefined {
  const [, whole, fraction = '', power = '0'] = form.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const all = whole + fraction;
  let first = 0;
  while (all.charCodeAt(first) === zero) first++;
  let last = all.length;
  while (last > first && all.charCodeAt(last - 1) === zero) last--;
  return { digits: all.slice(first, last), exponent: Number(power) - fraction.length + (all.length - last) };
}
