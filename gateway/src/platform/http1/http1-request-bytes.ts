/** Serialises requests one after another into one reusable buffer. */

/** The initial size in bytes: a request with head and body is rarely longer. */
const usualBytes = 16_384;
/** A buffer that grew beyond this many bytes is replaced by a small one when it is cleared. */
const mostKeptBytes = 65_536;
/** Room for the digits of the length and the empty line. */
const mostBetween = 24;

export class RequestBytes {
  /** Bytes of the requests added since `clear`. */
  length = 0;
  #bytes = Buffer.allocUnsafeSlow(usualBytes);

  /** `head`: the head of each request up to the value of Content-Length; ASCII. */
  constructor(private readonly head: string) {}

  add(body: string): void {
    const start = this.length;
    this.#makeRoom(start + this.head.length + mostBetween + body.length * 3);
    const text = `${this.head}${body.length}\r\n\r\n${body}`;
    let written = this.#bytes.write(text, start);
    // Not all of it is ASCII: the byte length is not the number of characters.
    if (written !== text.length)
      written = this.#bytes.write(`${this.head}${Buffer.byteLength(body)}\r\n\r\n${body}`, start);
    this.length = start + written;
  }

  /** The buffer, to be written at once; only its first `length` bytes are valid. */
  get all(): Uint8Array {
    return this.#bytes;
  }

  /** A copy of the bytes from `from` on. */
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
