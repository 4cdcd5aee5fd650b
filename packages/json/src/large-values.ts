/**
 * Scans a long JSON text in parts and records where its large values end, so that a later decoder skips them
 * (docs/decisions/0134).
 */

import {
  byteAt,
  closeBrace,
  comma,
  maxDepth,
  openBrace,
  openBracket,
  quote,
  skipName,
  skipScalar,
  skipSpace,
  skipString,
} from './json-scan.ts';

/** From the index at which a value begins to the index after it, or to -1 when it is not valid JSON. */
export type ValueEnds = ReadonlyMap<number, number>;

/** Smaller values are scanned again, which takes microseconds. */
const largeBytes = 16_384;
/**
 * The number of bytes scanned before other jobs may run; one string, one number or one run of white space may be
 * longer.
 */
const partBytes = 32_768;
/** Values inside of at most this many arrays and objects are recorded: a batch, a message, its members. */
const rememberedDepth = 3;

/**
 * The large values of a text up to its first error, and up to `maxValues` elements or members of its outermost value.
 * Does not decide whether the text is valid: that is for its decoder.
 */
export function* largeValuesOf(bytes: Uint8Array, maxValues: number): Generator<undefined, ValueEnds> {
  const scan = new LargeValueScan(bytes, maxValues);
  while (scan.part()) yield;
  return scan.ends;
}

class LargeValueScan {
  readonly ends = new Map<number, number>();
  /** For each open array or object: its closing bracket, and the index of its beginning. */
  readonly #closers = new Uint8Array(maxDepth);
  readonly #starts = new Int32Array(maxDepth);
  #depth = 0;
  /** The index of the next value. */
  #at: number;
  /** Elements or members of the outermost value that were scanned. */
  #passed = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly maxValues: number,
  ) {
    this.#at = skipSpace(bytes, 0);
  }

  /** Scans the next part. Returns false when nothing is left to scan. */
  part(): boolean {
    const { bytes } = this;
    const limit = this.#at + partBytes;
    let at = this.#at;
    while (at >= 0 && at < limit) {
      const byte = byteAt(bytes, at);
      const isOpener = byte === openBrace || byte === openBracket;
      const first = isOpener ? skipSpace(bytes, at + 1) : -1;
      if (isOpener && this.#depth === maxDepth) at = this.#mistake(at);
      else if (isOpener && byteAt(bytes, first) !== byte + 2) at = this.#open(at, byte + 2, first);
      else {
        const end = isOpener ? first + 1 : byte === quote ? skipString(bytes, at) : skipScalar(bytes, at, byte);
        at = end < 0 ? this.#mistake(at) : this.#passedValue(at, end);
      }
    }
    this.#at = at;
    return at >= 0;
  }

  /** The index of the first value of the array or object; -1 on an error. */
  #open(start: number, closer: number, first: number): number {
    this.#starts[this.#depth] = start;
    this.#closers[this.#depth] = closer;
    this.#depth += 1;
    return this.#named(first);
  }

  /** The index of the value after the one from `start` to `end`; -1 when there is none, or on an error. */
  #passedValue(start: number, end: number): number {
    this.#remember(start, end);
    let at = end;
    for (;;) {
      if (this.#depth === 0) return -1;
      at = skipSpace(this.bytes, at);
      const byte = byteAt(this.bytes, at);
      if (byte === comma) break;
      if (byte !== this.#closers[this.#depth - 1]) return this.#mistake(at);
      at += 1;
      this.#depth -= 1;
      this.#remember(this.#starts[this.#depth] ?? 0, at);
    }
    if (this.#depth === 1) {
      this.#passed += 1;
      if (this.#passed >= this.maxValues) return -1;
    }
    return this.#named(skipSpace(this.bytes, at + 1));
  }

  /** The value at `at`, or after the name there. */
  #named(at: number): number {
    if (this.#closers[this.#depth - 1] !== closeBrace) return at;
    const value = skipName(this.bytes, at);
    return value < 0 ? this.#mistake(at) : value;
  }

  #remember(start: number, end: number): void {
    if (end - start >= largeBytes && this.#depth < rememberedDepth) this.ends.set(start, end);
  }

  /** A value with an error in it is not valid. */
  #mistake(at: number): -1 {
    const depth = Math.min(this.#depth, rememberedDepth);
    for (let nth = 0; nth < depth; nth++) {
      const start = this.#starts[nth] ?? 0;
      if (at - start >= largeBytes) this.ends.set(start, -1);
    }
    return -1;
  }
}
