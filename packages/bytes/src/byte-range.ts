/** A part of a block of bytes, without a view of its own: creating a view costs more than copying most parts. */

const { utf8Slice } = Buffer.prototype;

export class ByteRange {
  /** `bytes[start, end)`, which must not change while the range is used. */
  constructor(
    readonly bytes: Uint8Array,
    readonly start: number,
    readonly end: number,
  ) {}

  get length(): number {
    return this.end - this.start;
  }

  /** Decoded from UTF-8. */
  text(): string {
    return utf8Slice.call(this.bytes, this.start, this.end);
  }
}

/** The text in a new block, in UTF-8. */
export function rangeOf(text: string): ByteRange {
  const bytes = Buffer.from(text);
  return new ByteRange(bytes, 0, bytes.length);
}
