/**
 * One spelling for equal params (contract/cache#identical): members sorted by name, no white space, one way to escape, addresses and hashes in lower case.
 * Numbers are not changed. All calls of a cache share one buffer, so that common params allocate nothing.
 */

import type { ByteRange } from '@flowgate/bytes/byte-range';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
} from '@flowgate/json/json-scan';
import { endOfText, skipBlank } from '@flowgate/json/valid-json';

/** In bytes. Calls with longer params are neither cached nor shared. */
export const maxParamsLength = 16_384;
const maxDepth = 16;
/** Members of all objects that are open together. Insertion sort orders them: the time grows with the square of their number. */
const maxMembers = 64;
/** Strings with escapes. The runtime parses and serializes them. */
const maxEscaped = 16;
/** An escape of two characters may become one of six. `hash` reads words of four bytes, up to 3 bytes past the end. */
const room = 3 * maxParamsLength + 8;

const addressDigits = 40;
const hashDigits = 64;

const multiplier = 0x2c1b3c6d;
const { utf8Slice } = Buffer.prototype;

export class CanonicalParams {
  readonly #memory = new ArrayBuffer(room);
  /** The result of the latest `write`; valid until its next call. */
  readonly bytes = new Uint8Array(this.#memory);
  readonly #words = new Int32Array(this.#memory);
  /** For each member of the open objects: start and end of its name, and end of its value, as indexes of `bytes`. */
  readonly #members = new Int32Array(3 * maxMembers);
  readonly #moved = new Uint8Array(room);
  readonly #order = new Int32Array(maxMembers);
  /** Index of the next byte. Each method reads it once, and sets it at its end. */
  #written = 0;
  #memberCount = 0;
  #escapedCount = 0;
  #foldsHex = false;

  /**
   * Writes the canonical form of valid JSON, and returns its length. Returns -1 when the JSON is too long, too deep, or has a duplicate name, which nodes read differently.
   * `hexFolds`: whether 20 and 32 bytes in hex are case-insensitive, as in the EVM family.
   */
  write(params: ByteRange | undefined, hexFolds: boolean): number {
    if (params === undefined) return 0;
    if (params.length > maxParamsLength) return -1;
    this.#written = 0;
    this.#memberCount = 0;
    this.#escapedCount = 0;
    this.#foldsHex = hexFolds;
    return this.#writeValue(params.bytes, params.start, params.end, 0) < 0 ? -1 : this.#written;
  }

  /**
   * The hash of the canonical form of this length. `seed`: unknown to callers, so that they cannot choose colliding params in advance. The caches compare the bytes too.
   */
  hash(size: number, seed: number): number {
    const { bytes } = this;
    const words = this.#words;
    bytes[size] = 0;
    bytes[size + 1] = 0;
    bytes[size + 2] = 0;
    const twist = Math.imul(seed ^ 0x5bd1e995, multiplier);
    let hash = Math.imul(seed, multiplier) ^ size;
    const count = (size + 3) >> 2;
    for (let nth = 0; nth < count; nth++) {
      hash = Math.imul(hash ^ (words[nth] ?? 0), multiplier);
      hash ^= (hash >>> 15) ^ twist;
      hash = (hash << 13) | (hash >>> 19);
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
    return hash ^ (hash >>> 15);
  }

  /** Whether `other[start, start + size)` equals the written bytes. */
  isAt(other: Uint8Array, start: number, size: number): boolean {
    const { bytes } = this;
    for (let nth = 0; nth < size; nth++) if (other[start + nth] !== bytes[nth]) return false;
    return true;
  }

  /** Each writer returns the index after the value that it has read, or -1. */
  #writeValue(bytes: Uint8Array, from: number, end: number, depth: number): number {
    const canonical = this.bytes;
    let at = from;
    while ((bytes[at] ?? 0) <= 0x20 && at < end) at++;
    const first = bytes[at];
    if (first === quote) return this.#writeText(bytes, at, end);
    if (first === openBracket) return depth < maxDepth ? this.#writeArray(bytes, at, end, depth + 1) : -1;
    if (first === openBrace) return depth < maxDepth ? this.#writeObject(bytes, at, end, depth + 1) : -1;
    // A number or a literal, unchanged.
    let to = this.#written;
    for (let byte = bytes[at] ?? 0; at < end && isOfScalar(byte); byte = bytes[++at] ?? 0) canonical[to++] = byte;
    if (to === this.#written) return -1;
    this.#written = to;
    return at;
  }

  #writeArray(bytes: Uint8Array, from: number, end: number, depth: number): number {
    const canonical = this.bytes;
    canonical[this.#written++] = openBracket;
    let at = skipBlank(bytes, from + 1, end);
    if (bytes[at] !== closeBracket)
      for (;;) {
        at = this.#writeValue(bytes, at, end, depth);
        if (at < 0) return -1;
        if (bytes[at] !== comma) {
          at = skipBlank(bytes, at, end);
          if (bytes[at] !== comma) break;
        }
        canonical[this.#written++] = comma;
        at++;
      }
    canonical[this.#written++] = closeBracket;
    return at + 1;
  }

  #writeObject(bytes: Uint8Array, from: number, end: number, depth: number): number {
    const canonical = this.bytes;
    const firstMember = this.#memberCount;
    const start = this.#written + 1;
    let isSorted = true;
    canonical[this.#written++] = openBrace;
    let at = skipBlank(bytes, from + 1, end);
    if (bytes[at] !== closeBrace)
      for (;;) {
        const nth = this.#memberCount++;
        if (nth >= maxMembers) return -1;
        this.#members[3 * nth] = this.#written;
        at = this.#writeText(bytes, skipBlank(bytes, at, end), end);
        this.#members[3 * nth + 1] = this.#written;
        canonical[this.#written++] = colon;
        at = this.#writeValue(bytes, skipBlank(bytes, at, end) + 1, end, depth);
        if (at < 0) return -1;
        this.#members[3 * nth + 2] = this.#written;
        this.#memberCount = nth + 1;
        if (nth > firstMember) {
          const names = this.#compareNames(nth - 1, nth);
          if (names === 0) return -1;
          isSorted &&= names < 0;
        }
        at = skipBlank(bytes, at, end);
        if (bytes[at] !== comma) break;
        canonical[this.#written++] = comma;
        at++;
      }
    if (!isSorted && !this.#sortMembers(firstMember, start)) return -1;
    canonical[this.#written++] = closeBrace;
    this.#memberCount = firstMember;
    return at + 1;
  }

  /** Sorted by the names' bytes. */
  #compareNames(left: number, right: number): number {
    const canonical = this.bytes;
    const members = this.#members;
    let i = members[3 * left] ?? 0;
    let j = members[3 * right] ?? 0;
    const iEnd = members[3 * left + 1] ?? 0;
    const jEnd = members[3 * right + 1] ?? 0;
    for (; i < iEnd && j < jEnd; i++, j++) {
      const order = (canonical[i] ?? 0) - (canonical[j] ?? 0);
      if (order !== 0) return order;
    }
    return iEnd - i - (jEnd - j);
  }

  /** Sorts the members from index `first`, which were written from `start` on. False for a duplicate name. */
  #sortMembers(first: number, start: number): boolean {
    const canonical = this.bytes;
    const order = this.#order;
    const count = this.#memberCount - first;
    for (let i = 0; i < count; i++) {
      let place = i;
      for (; place > 0; place--) {
        const names = this.#compareNames(order[place - 1] ?? 0, first + i);
        if (names === 0) return false;
        if (names < 0) break;
        order[place] = order[place - 1] ?? 0;
      }
      order[place] = first + i;
    }
    for (let i = start; i < this.#written; i++) this.#moved[i] = canonical[i] ?? 0;
    let to = start;
    for (let i = 0; i < count; i++) {
      if (i > 0) canonical[to++] = comma;
      const nth = order[i] ?? 0;
      const end = this.#members[3 * nth + 2] ?? 0;
      for (let from = this.#members[3 * nth] ?? 0; from < end; from++) canonical[to++] = this.#moved[from] ?? 0;
    }
    return true;
  }

  /** A string, quotes included. */
  #writeText(bytes: Uint8Array, from: number, end: number): number {
    const canonical = this.bytes;
    const start = this.#written;
    let at = from;
    let to = start;
    let byte = quote;
    do {
      canonical[to++] = byte;
      byte = bytes[++at] ?? quote;
    } while (byte !== quote && byte !== backslash);
    if (byte === backslash) return this.#writeEscaped(bytes, from, end);
    canonical[to++] = quote;
    // `"0x` and `"` are around the digits.
    const digits = to - start - 4;
    if (this.#foldsHex && (digits === addressDigits || digits === hashDigits)) this.#foldDigits(start, to - 1);
    this.#written = to;
    return at + 1;
  }

  /** Lower case when these are hex digits after `0x`. */
  #foldDigits(start: number, end: number): void {
    const canonical = this.bytes;
    if (canonical[start + 1] !== 0x30 || canonical[start + 2] !== 0x78) return;
    let hasUpper = false;
    for (let i = start + 3; i < end; i++) {
      const byte = canonical[i] ?? 0;
      if (byte >= 0x30 && byte <= 0x39) continue;
      const lower = byte | 0x20;
      if (lower < 0x61 || lower > 0x66) return;
      hasUpper ||= byte !== lower;
    }
    if (hasUpper)
      for (let i = start + 3; i < end; i++) {
        const byte = canonical[i] ?? 0;
        if (byte < 0x47 && byte > 0x40) canonical[i] = byte | 0x20;
      }
  }

  /** Rare: the runtime parses and serializes the string. */
  #writeEscaped(bytes: Uint8Array, from: number, inputEnd: number): number {
    const canonical = this.bytes;
    if (++this.#escapedCount > maxEscaped) return -1;
    const end = endOfText(bytes, from, inputEnd);
    const text = Buffer.from(JSON.stringify(JSON.parse(utf8Slice.call(bytes, from, end))));
    if (this.#written + text.length + (inputEnd - end) > room - 8) return -1;
    canonical.set(text, this.#written);
    const start = this.#written;
    this.#written += text.length;
    const digits = text.length - 4;
    if (this.#foldsHex && (digits === addressDigits || digits === hashDigits))
      this.#foldDigits(start, this.#written - 1);
    return end;
  }
}

function isOfScalar(byte: number): boolean {
  return byte > 0x20 && byte !== comma && byte !== closeBracket && byte !== closeBrace;
}
