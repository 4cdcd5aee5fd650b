/**
 * Scans JSON that arrives in pieces, split anywhere: strictly (RFC 8259, UTF-8), and without building values. It
 * reports the members of the outermost object, or of each object in the outermost array. `json-scan` does the same for
 * complete bytes.
 */

import { Utf8Pieces } from '@flowgate/bytes/utf8';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  maxAnswerDepth,
  openBrace,
  openBracket,
  quote,
} from './json-scan.ts';

/**
 * The scanner's events for one object, or for each object in an array. Offsets are bytes from the beginning of the
 * text. `name` is the raw text in quotes, escapes included; undefined when it is longer than `maxNameBytes`.
 */
export type ObjectListener = {
  readonly begin?: () => void;
  /** A member's value begins. */
  readonly value?: (name: string | undefined, valueStart: number) => void;
  readonly member?: (name: string | undefined, valueStart: number, valueEnd: number) => void;
  readonly end?: () => void;
};

/** The bytes of a reported name, with its quotes. */
const maxNameBytes = 258;
const noBytes = new Uint8Array(0);
const { utf8Slice } = Buffer.prototype;

const atValue = 0;
const atValueOrEnd = 1;
const atName = 2;
const atNameOrEnd = 3;
const atColon = 4;
const afterValue = 5;
const done = 6;
const inString = 7;
const inEscape = 8;
const inHex = 9;
const inLiteral = 10;
/** States within a number: after its minus, its first zero, in its integer, point, fraction, e, sign and exponent. */
const afterMinus = 11;
const afterZero = 12;
const inInteger = 13;
const afterPoint = 14;
const inFraction = 15;
const afterE = 16;
const afterSign = 17;
const inExponent = 18;

/**
 * Kinds of bytes: 1 is valid in a string without an escape, 2 is a digit, 4 white space, 8 a hexadecimal digit, 16 may
 * follow a backslash.
 */
const kinds = new Uint8Array(256);
for (let byte = 0x20; byte < 256; byte++) if (byte !== quote && byte !== backslash) kinds[byte] = 1;
for (const digit of Buffer.from('0123456789')) kinds[digit] = (kinds[digit] ?? 0) | 2;
for (const space of Buffer.from(' \t\n\r')) kinds[space] = (kinds[space] ?? 0) | 4;
for (const digit of Buffer.from('0123456789abcdefABCDEF')) kinds[digit] = (kinds[digit] ?? 0) | 8;
for (const escaped of Buffer.from('"\\/bfnrt')) kinds[escaped] = (kinds[escaped] ?? 0) | 16;

const literals: ReadonlyMap<number, Uint8Array> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]),
);

/** One scanner for each text. */
export class PushScanner {
  #state = atValue;
  #depth = 0;
  /** The closing bracket of each open array and object. */
  readonly #closers = new Uint8Array(maxAnswerDepth);
  /** The number of bytes before the current block. */
  #before = 0;
  #isName = false;
  #hexLeft = 0;
  #word: Uint8Array = noBytes;
  #wordAt = 0;
  /** The depth of the members that are reported: 1, or 2 in an array. */
  #memberDepth = 0;
  #inObject = false;
  /** The index at which the current name, or the rest of it, begins in the current piece; -1 outside of names. */
  #nameAt = -1;
  /** The bytes of that name in earlier pieces. */
  #nameBefore: Uint8Array = noBytes;
  #name: string | undefined;
  #valueStart = 0;
  readonly #utf8 = new Utf8Pieces();

  constructor(private readonly listener: ObjectListener) {}

  /** Whether the bytes so far can be the beginning of an object or an array. Do not call it again after it returned false. */
  push(bytes: Uint8Array): boolean {
    // Outside of strings JSON is ASCII, so no character can be incomplete there.
    if (!this.#utf8.push(bytes)) return false;
    let at = 0;
    while (at >= 0 && at < bytes.length) {
      if (this.#state === inString) at = this.#stepOverString(bytes, at);
      else if (this.#state >= inEscape) at = this.#stepOverScalar(bytes, at);
      else at = this.#stepBetween(bytes, at);
    }
    if (this.#nameAt >= 0) {
      // A copy, because the owner of the piece may overwrite it. `slice` of a Buffer does not copy.
      this.#nameBefore = Buffer.from(this.#nameUpTo(bytes, bytes.length));
      this.#nameAt = 0;
    }
    this.#before += bytes.length;
    return at >= 0;
  }

  /** Whether the text is complete; to be called after the last piece. */
  isWhole(): boolean {
    return this.#state === done;
  }

  /** Whether the text is an array; known after its first byte that is not white space. */
  get isArray(): boolean {
    return this.#memberDepth === 2;
  }

  #stepOverString(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length && ((kinds[bytes[at] ?? 0] ?? 0) & 1) === 1) at++;
    if (at === bytes.length) return at;
    const byte = bytes[at];
    if (byte === backslash) {
      this.#state = inEscape;
      return at + 1;
    }
    if (byte !== quote) return -1;
    if (this.#isName) {
      if (this.#nameAt >= 0) this.#endName(bytes, at + 1);
      this.#state = atColon;
    } else this.#valueEnded(at + 1);
    return at + 1;
  }

  #endName(bytes: Uint8Array, end: number): void {
    const name = this.#nameUpTo(bytes, end);
    this.#name = name.length > maxNameBytes ? undefined : utf8Slice.call(name);
    this.#nameAt = -1;
    this.#nameBefore = noBytes;
  }

  /** For a name that is too long, its beginning. */
  #nameUpTo(bytes: Uint8Array, end: number): Uint8Array {
    const before = this.#nameBefore;
    const from = this.#nameAt;
    const rest = bytes.subarray(from, Math.min(end, from + maxNameBytes + 1 - before.length));
    return before.length === 0 ? rest : Buffer.concat([before, rest]);
  }

  /** Skips the rest of an escape, a literal or a number. */
  #stepOverScalar(bytes: Uint8Array, from: number): number {
    if (this.#state > inLiteral) return this.#stepOverNumber(bytes, from);
    const byte = bytes[from] ?? 0;
    const kind = kinds[byte] ?? 0;
    if (this.#state === inEscape) {
      this.#hexLeft = 4;
      this.#state = byte === 0x75 ? inHex : inString;
      return byte === 0x75 || (kind & 16) !== 0 ? from + 1 : -1;
    }
    if (this.#state === inHex) {
      if ((kind & 8) === 0) return -1;
      this.#hexLeft--;
      if (this.#hexLeft === 0) this.#state = inString;
      return from + 1;
    }
    if (byte !== this.#word[this.#wordAt]) return -1;
    this.#wordAt++;
    if (this.#wordAt === this.#word.length) this.#valueEnded(from + 1);
    return from + 1;
  }

  /** Returns the index after the number. A text that ends with a number is incomplete. */
  #stepOverNumber(bytes: Uint8Array, from: number): number {
    let state = this.#state;
    let at = from;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      const isDigit = ((kinds[byte] ?? 0) & 2) !== 0;
      if (isDigit) {
        if (state === afterZero) return -1;
        if (state === afterMinus) state = byte === 0x30 ? afterZero : inInteger;
        else if (state === afterPoint) state = inFraction;
        else if (state === afterE || state === afterSign) state = inExponent;
      } else if (byte === 0x2e && (state === afterZero || state === inInteger)) state = afterPoint;
      else if ((byte | 0x20) === 0x65 && (state === afterZero || state === inInteger || state === inFraction))
        state = afterE;
      else if ((byte === 0x2b || byte === 0x2d) && state === afterE) state = afterSign;
      else {
        if (state === afterMinus || state === afterPoint || state === afterE || state === afterSign) return -1;
        this.#valueEnded(at);
        return at;
      }
    }
    this.#state = state;
    return at;
  }

  #stepBetween(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length && ((kinds[bytes[at] ?? 0] ?? 0) & 4) !== 0) at++;
    if (at === bytes.length) return at;
    const byte = bytes[at] ?? 0;
    switch (this.#state) {
      case atValueOrEnd:
        return byte === closeBracket ? this.#close(at) : this.#beginValue(byte, at);
      case atValue:
        return this.#beginValue(byte, at);
      case atNameOrEnd:
        return byte === closeBrace ? this.#close(at) : this.#beginName(byte, at);
      case atName:
        return this.#beginName(byte, at);
      case atColon:
        this.#state = atValue;
        return byte === colon ? at + 1 : -1;
      case afterValue: {
        const closer = this.#closers[this.#depth - 1];
        if (byte === closer) return this.#close(at);
        this.#state = closer === closeBracket ? atValue : atName;
        return byte === comma ? at + 1 : -1;
      }
      default:
        return -1;
    }
  }

  #beginName(byte: number, at: number): number {
    if (byte !== quote) return -1;
    this.#isName = true;
    if (this.#depth === this.#memberDepth) this.#nameAt = at;
    this.#state = inString;
    return at + 1;
  }

  #beginValue(byte: number, at: number): number {
    if (this.#inObject && this.#depth === this.#memberDepth) {
      this.#valueStart = this.#before + at;
      this.listener.value?.(this.#name, this.#valueStart);
    }
    if (byte === openBrace || byte === openBracket) return this.#open(byte, at);
    if (this.#depth === 0) return -1;
    if (byte === quote) {
      this.#isName = false;
      this.#state = inString;
    } else if (byte === 0x2d) this.#state = afterMinus;
    else if (((kinds[byte] ?? 0) & 2) !== 0) this.#state = byte === 0x30 ? afterZero : inInteger;
    else {
      const word = literals.get(byte);
      if (word === undefined) return -1;
      this.#word = word;
      this.#wordAt = 1;
      this.#state = inLiteral;
    }
    return at + 1;
  }

  #open(byte: number, at: number): number {
    const isObject = byte === openBrace;
    if (this.#depth >= maxAnswerDepth) return -1;
    if (this.#depth === 0) this.#memberDepth = isObject ? 1 : 2;
    this.#closers[this.#depth++] = byte + 2; // The codes of ] and } are both two above that of their opener.
    this.#state = isObject ? atNameOrEnd : atValueOrEnd;
    if (isObject && this.#depth === this.#memberDepth) {
      this.#inObject = true;
      this.listener.begin?.();
    }
    return at + 1;
  }

  #close(at: number): number {
    this.#depth--;
    if (this.#inObject && this.#depth < this.#memberDepth) {
      this.#inObject = false;
      this.listener.end?.();
    }
    this.#valueEnded(at + 1);
    return at + 1;
  }

  #valueEnded(end: number): void {
    this.#state = this.#depth === 0 ? done : afterValue;
    if (this.#inObject && this.#depth === this.#memberDepth)
      this.listener.member?.(this.#name, this.#valueStart, this.#before + end);
  }
}
