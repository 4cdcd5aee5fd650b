/** Decodes the chunked transfer coding (RFC 9112 7.1) from pieces of any size. Extensions and trailers are checked and dropped. */
import { unmetered, type WorkMeter } from '@flowgate/async/turn-budget';
import { isFieldByte, isTokenByte } from './http1-head.ts';

type Expecting =
  | 'size'
  | 'extension'
  | 'extension-name'
  | 'extension-value'
  | 'extension-token'
  | 'extension-quoted'
  | 'extension-escape'
  | 'extension-end'
  | 'size-lf'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'trailer'
  | 'trailer-name'
  | 'trailer-value'
  | 'trailer-lf'
  | 'last-lf'
  | 'nothing';

const cr = 13;
const lf = 10;
const colon = 58;
const semicolon = 59;
const equals = 61;
const quote = 34;
const backslash = 92;
/** Fields that decide framing or routing are not allowed in trailers (RFC 9110 6.5.1). */
const forbiddenTrailers = new Set(['transfer-encoding', 'content-length', 'host', 'connection']);
const maxForbiddenTrailerLength = 'transfer-encoding'.length;
const maxSizeDigits = 16;
/**
 * Bytes of extensions and trailers together. Without this bound each byte of content could have kilobytes of overhead.
 */
const maxOverheadBytes = 65_536;
/** A message may have this many chunks, and one more for every `minAverageChunkBytes` of its content: a chunk of one byte costs as much as 100 bytes of a large one. */
export const freeChunks = 131_072;
export const minAverageChunkBytes = 16;
/** A byte outside the chunks' content is read one at a time, in about 20 ns; content is copied. */
const unitsPerFramingByte = 2;
const contentBytesPerUnit = 64;

/** Receives the decoded content. */
export type ContentSink = {
  readonly length: number;
  readonly append: (bytes: Uint8Array, from: number, to: number) => void;
};

export class ChunkedDecoder {
  fault: 'malformed' | 'too-large' | 'too-many-chunks' | undefined;
  #expecting: Expecting = 'size';
  #size = 0;
  #digits = 0;
  #chunks = 0;
  #overheadBytes = 0;
  /** The name of the trailer field being read, in lower case; truncated to the length of the longest forbidden name. */
  #trailerName = '';

  constructor(
    public maxBytes: number,
    private readonly work: WorkMeter = unmetered,
  ) {}

  get done(): boolean {
    return this.#expecting === 'nothing';
  }

  reset(): void {
    this.fault = undefined;
    this.#expecting = 'size';
    this.#size = 0;
    this.#digits = 0;
    this.#chunks = 0;
    this.#overheadBytes = 0;
  }

  /** Appends the content in `bytes[from…]` to `content`. Returns the index after the bytes that it consumed, which is before the end of a message when its share of the turn ended, or -1 after setting `fault`. */
  push(bytes: Uint8Array, from: number, content: ContentSink): number {
    let at = from;
    let framingFrom = from;
    while (at < bytes.length && this.#expecting !== 'nothing') {
      if (this.#expecting === 'data') {
        const end = Math.min(bytes.length, at + this.#size);
        const units = (at - framingFrom) * unitsPerFramingByte + (end - at) / contentBytesPerUnit;
        content.append(bytes, at, end);
        this.#size -= end - at;
        at = end;
        framingFrom = at;
        if (this.#size === 0) this.#expecting = 'data-cr';
        if (!this.work.spend(units)) return at;
        continue;
      }
      const next = this.#step(bytes[at] ?? 0, content.length);
      if (next === undefined) {
        this.fault ??= 'malformed';
        return -1;
      }
      this.#expecting = next;
      at++;
    }
    this.work.spend((at - framingFrom) * unitsPerFramingByte);
    return at;
  }

  #step(code: number, contentBytes: number): Expecting | undefined {
    switch (this.#expecting) {
      case 'size':
        return this.#sizeByte(code);
      case 'extension':
      case 'extension-name':
      case 'extension-value':
      case 'extension-token':
      case 'extension-quoted':
      case 'extension-escape':
      case 'extension-end':
        return this.#extensionByte(this.#expecting, code);
      case 'size-lf':
        return code === lf ? this.#sizeKnown(contentBytes) : undefined;
      case 'data-cr':
        return code === cr ? 'data-lf' : undefined;
      case 'data-lf':
        return code === lf ? 'size' : undefined;
      case 'trailer':
        this.#trailerName = '';
        return code === cr ? 'last-lf' : this.#trailerNameByte(code);
      case 'trailer-name':
        if (code !== colon) return this.#trailerNameByte(code);
        return forbiddenTrailers.has(this.#trailerName) ? undefined : 'trailer-value';
      case 'trailer-value':
        return code === cr ? 'trailer-lf' : this.#overhead(isFieldByte(code), 'trailer-value');
      case 'trailer-lf':
        return code === lf ? 'trailer' : undefined;
      case 'last-lf':
        return code === lf ? 'nothing' : undefined;
      default:
        return undefined;
    }
  }

  #sizeByte(code: number): Expecting | undefined {
    const digit = hexDigit(code);
    if (digit >= 0) {
      this.#size = this.#size * 16 + digit;
      this.#digits++;
      return this.#digits <= maxSizeDigits ? 'size' : undefined;
    }
    if (this.#digits === 0) return undefined;
    if (code === semicolon) return 'extension';
    return code === cr ? 'size-lf' : undefined;
  }

  /** `;name`, `;name=token` or `;name="quoted"`, without white space (RFC 9112 7.1.1). */
  #extensionByte(expecting: Expecting, code: number): Expecting | undefined {
    if (expecting === 'extension-quoted') {
      if (code === quote) return 'extension-end';
      return this.#overhead(isFieldByte(code), code === backslash ? 'extension-escape' : 'extension-quoted');
    }
    if (expecting === 'extension-escape') return this.#overhead(isFieldByte(code), 'extension-quoted');
    if (expecting === 'extension') return this.#overhead(isTokenByte(code), 'extension-name');
    if (expecting === 'extension-value')
      return code === quote ? 'extension-quoted' : this.#overhead(isTokenByte(code), 'extension-token');
    if (code === cr) return 'size-lf';
    if (code === semicolon) return this.#overhead(true, 'extension');
    if (expecting === 'extension-end') return undefined;
    if (code === equals && expecting === 'extension-name') return 'extension-value';
    return this.#overhead(isTokenByte(code), expecting);
  }

  #trailerNameByte(code: number): Expecting | undefined {
    if (this.#trailerName.length < maxForbiddenTrailerLength + 1)
      this.#trailerName += String.fromCharCode(code).toLowerCase();
    return this.#overhead(isTokenByte(code), 'trailer-name');
  }

  #sizeKnown(contentBytes: number): Expecting | undefined {
    this.#digits = 0;
    if (this.#size === 0) return 'trailer';
    this.#chunks++;
    if (contentBytes + this.#size > this.maxBytes) this.fault = 'too-large';
    else if (this.#chunks > freeChunks + contentBytes / minAverageChunkBytes) this.fault = 'too-many-chunks';
    else return 'data';
    return undefined;
  }

  #overhead(allowed: boolean, next: Expecting): Expecting | undefined {
    this.#overheadBytes++;
    return allowed && this.#overheadBytes <= maxOverheadBytes ? next : undefined;
  }
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const small = code | 32;
  return small >= 97 && small <= 102 ? small - 87 : -1;
}
