/**
 * Recursive Length Prefix (Ethereum Yellow Paper, appendix B). Reads the one canonical encoding of each value, which is all that nodes accept, without copying.
 * Also writes a few small values.
 */

const { hexSlice } = Buffer.prototype;

/**
 * A cursor over consecutive items. It allocates nothing: its members describe the item that `next` found. Every check uses the end of the enclosing item, so
 * that no length can reach beyond it.
 */
export class RlpCursor {
  readonly bytes: Uint8Array;
  #at: number;
  readonly #end: number;
  /** The current item: where it begins, where its content begins, and where both end. */
  itemAt = 0;
  contentAt = 0;
  contentEnd = 0;
  isList = false;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** Where the next item begins. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  /** Finds the next item. False at the end, and if the encoding is truncated or not canonical. */
  next(): boolean {
    const at = this.#at;
    const first = this.bytes[at];
    if (first === undefined || at >= this.#end) return false;
    this.itemAt = at;
    this.isList = first >= 0xc0;
    if (first < 0x80) return this.#found(at, 1);
    const short = first - (this.isList ? 0xc0 : 0x80);
    if (short > 55) return this.#findLong(at + 1, short - 55);
    // A byte below 0x80 is its own encoding and has no prefix.
    if (!this.isList && short === 1 && (this.bytes[at + 1] ?? 0) < 0x80) return false;
    return this.#found(at + 1, short);
  }

  /** Finds the next item, which must be a list, and returns a cursor over its items. */
  nextList(): RlpCursor | undefined {
    return this.next() ? this.presentList() : undefined;
  }

  /** A cursor over the items of the current item, which must be a list. */
  presentList(): RlpCursor | undefined {
    return this.isList ? new RlpCursor(this.bytes, this.contentAt, this.contentEnd) : undefined;
  }

  /** Finds the next item, which must be a byte string. */
  nextBytes(): boolean {
    return this.next() && !this.isList;
  }

  /** Finds the next item, which must be a byte string of exactly `length` bytes. */
  nextBytesOf(length: number): boolean {
    return this.nextBytes() && this.length === length;
  }

  /** Finds the next item, which must be an unsigned integer of at most `maxBytes` bytes, without leading zeros. */
  nextInteger(maxBytes: number): boolean {
    return this.nextBytes() && this.length <= maxBytes && (this.length === 0 || this.bytes[this.contentAt] !== 0);
  }

  /** The length of the current item's content. */
  get length(): number {
    return this.contentEnd - this.contentAt;
  }

  /** The current item's content, not copied. */
  get content(): Uint8Array {
    return this.bytes.subarray(this.contentAt, this.contentEnd);
  }

  /** The current item's content as hexadecimal digits. */
  get hex(): string {
    return hexSlice.call(this.bytes, this.contentAt, this.contentEnd);
  }

  /** Writes the current item, an integer, so that it ends before `end`. The bytes of `target` before it must be zero. */
  writeInteger(target: Uint8Array, end: number): void {
    const start = end - this.length;
    for (let at = 0; at < this.length; at++) target[start + at] = this.bytes[this.contentAt + at] ?? 0;
  }

  /** The current item, an integer that `nextInteger` found. */
  get integer(): bigint {
    if (this.length > 6) return BigInt(`0x${this.hex}`);
    let value = 0;
    for (let at = this.contentAt; at < this.contentEnd; at++) value = value * 256 + (this.bytes[at] ?? 0);
    return BigInt(value);
  }

  /** Reads a length in bytes of its own. Refuses leading zeros, and a length for which the short form exists. */
  #findLong(lengthAt: number, lengthBytes: number): boolean {
    const contentAt = lengthAt + lengthBytes;
    if (contentAt > this.#end || this.bytes[lengthAt] === 0) return false;
    let length = 0;
    for (let at = lengthAt; at < contentAt; at++) {
      length = length * 256 + (this.bytes[at] ?? 0);
      // The check also ensures that `length` is exact, regardless of the number of its bytes.
      if (length > this.#end) return false;
    }
    return length > 55 && this.#found(contentAt, length);
  }

  #found(contentAt: number, length: number): boolean {
    if (length > this.#end - contentAt) return false;
    this.contentAt = contentAt;
    this.contentEnd = contentAt + length;
    this.#at = this.contentEnd;
    return true;
  }
}

/** The encoding of a list of encoded items. `before`: the byte of a transaction's type, if any. */
export function rlpList(items: readonly Uint8Array[], before: readonly number[] = []): Uint8Array {
  const length = items.reduce((sum, item) => sum + item.length, 0);
  const lengthBytes = length > 55 ? bytesOf(BigInt(length)) : undefined;
  const head = lengthBytes === undefined ? [0xc0 + length] : [0xf7 + lengthBytes.length, ...lengthBytes];
  return Buffer.concat([Uint8Array.from([...before, ...head]), ...items]);
}

/** The encoding of at most 55 bytes. */
export function rlpBytes(content: Uint8Array): Uint8Array {
  const [first] = content;
  if (content.length === 1 && first !== undefined && first < 0x80) return content;
  return Uint8Array.from([0x80 + content.length, ...content]);
}

/** The encoding of an unsigned integer below 2^256. */
export function rlpInteger(value: bigint): Uint8Array {
  return rlpBytes(bytesOf(value));
}

function bytesOf(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0);
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

export function hexOf(bytes: Uint8Array): string {
  return hexSlice.call(bytes);
}
