/** Writes messages one after another into one block of bytes that is reused, so that no message allocates memory. */

/** From this length on, a call to the runtime costs less than a loop. */
const longText = 16;
const longRange = 32;
/** `write` determines the encoding first, which costs more than writing. */
const { copy, latin1Write, utf8Write } = Buffer.prototype;

/** Does not check bounds: the caller must ensure that the bytes fit. */
export class ByteWriter {
  readonly bytes: Buffer<ArrayBuffer>;
  /** The index of the next byte. */
  at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  byte(value: number): void {
    this.bytes[this.at++] = value;
  }

  put(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** Writes `source[from, end)`. */
  range(source: Uint8Array, from: number, end: number): void {
    const { bytes, at } = this;
    const length = end - from;
    if (length > longRange) copy.call(source, bytes, at, from, end);
    else for (let index = 0; index < length; index++) bytes[at + index] = source[from + index] ?? 0;
    this.at = at + length;
  }

  /** Writes a text that is ASCII. */
  ascii(text: string): void {
    const { bytes, at } = this;
    const { length } = text;
    if (length >= longText) latin1Write.call(bytes, text, at, length);
    else for (let index = 0; index < length; index++) bytes[at + index] = text.charCodeAt(index);
    this.at = at + length;
  }

  utf8(text: string): void {
    this.at += utf8Write.call(this.bytes, text, this.at, this.bytes.length - this.at);
  }

  /** Writes decimal digits; any value but a whole number from 0 on is written as JavaScript formats it. */
  number(value: number): void {
    let rest = value | 0;
    // Nearly all numbers have 32 bits; the loop costs three times as much for larger ones.
    if (rest !== value || rest < 0) {
      this.ascii(String(value));
      return;
    }
    const { bytes } = this;
    let digits = 1;
    for (let bound = 10; value >= bound; bound *= 10) digits++;
    let end = this.at + digits;
    this.at = end;
    do {
      const tens = (rest / 10) | 0;
      bytes[--end] = 48 + (rest - tens * 10);
      rest = tens;
    } while (rest > 0);
  }
}
