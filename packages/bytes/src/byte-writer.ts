/** Writes one message after another into one block of bytes that is used again: nothing is allocated for a message. */

/** From here on a call to the runtime costs less than a loop. */
const longText = 16;
const longRange = 32;
/** `write` finds out the encoding first, which costs more than writing. */
const { copy, latin1Write, utf8Write } = Buffer.prototype;

/** Whoever writes sees to it that there is room: nothing here looks. */
export class ByteWriter {
  readonly bytes: Buffer<ArrayBuffer>;
  /** Where the next byte goes. */
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

  /** `source[from, end)`. */
  range(source: Uint8Array, from: number, end: number): void {
    const { bytes, at } = this;
    const length = end - from;
    if (length > longRange) copy.call(source, bytes, at, from, end);
    else for (let index = 0; index < length; index++) bytes[at + index] = source[from + index] ?? 0;
    this.at = at + length;
  }

  /** Of ASCII only. */
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

  /** In decimal digits; what is no whole number, or below zero, as JavaScript writes it. */
  number(value: number): void {
    let rest = value | 0;
    // Numbers of 32 bits, which nearly all are, cost a third of what others would in the same loop.
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
