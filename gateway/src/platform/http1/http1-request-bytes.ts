/** Requests as the bytes that go out, one behind the other in one buffer that is used again and again. */

/** Head, body and all, requests are seldom longer. */
const usualBytes = 16_384;
/** What a buffer that had to grow keeps. */
const mostKeptBytes = 65_536;
/** Of the length's digits and the empty line. */
const mostBetween = 24;

export class RequestBytes {
  /** Of the requests that were added since `clear`. */
  length = 0;
  #bytes = Buffer.allocUnsafeSlow(usualBytes);

  /** `head`: everything of each request up to the value of Content-Length; ASCII. */
  constructor(private readonly head: string) {}

  add(body: string): void {
    const start = this.length;
    this.#makeRoom(start + this.head.length + mostBetween + body.length * 3);
    const text = `${this.head}${body.length}\r\n\r\n${body}`;
    let written = this.#bytes.write(text, start);
    // Not all of it is ASCII: it has more bytes than characters.
    if (written !== text.length)
      written = this.#bytes.write(`${this.head}${Buffer.byteLength(body)}\r\n\r\n${body}`, start);
    this.length = start + written;
  }

  /** The bytes, to be written at once: only the first `length` of them count. */
  get all(): Uint8Array {
    return this.#bytes;
  }

  /** A copy of those from `from` on. */
  rest(from: number): Uint8Array {
    return Buffer.from(this.#bytes.subarray(from, this.length));
  }

  clear(): void {
    this.length = 0;
    if (this.#bytes.length > mostKeptBytes) this.#bytes = Buffer.allocUnsafeSlow(usualBytes);
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(bytes, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }
}
