/** Serializes requests one after another into one reusable buffer. */

import type { ByteContent } from '@flowgate/bytes/byte-content';
import { ByteWriter } from '@flowgate/bytes/byte-writer';

/** The initial size in bytes: a request with head and body is rarely longer. */
const defaultBytes = 16_384;
/** A buffer that grew beyond this many bytes is replaced by a small one when it is cleared. */
const maxRetainedBytes = 65_536;
/** Room for the digits of the length and the empty line. */
const maxBetween = 24;
const headEnd = Buffer.from('\r\n\r\n');

export class RequestBytes {
  readonly #head: Uint8Array;
  #writer = new ByteWriter(defaultBytes);

  /** `head`: the head of each request up to the value of Content-Length; ASCII. */
  constructor(head: string) {
    this.#head = Buffer.from(head, 'latin1');
  }

  /** Bytes of the requests added since `clear`. */
  get length(): number {
    return this.#writer.at;
  }

  /**
   * @throws when `writeTo` writes another number of bytes than `length`, which is a bug: the server would read the rest
   * as the next request.
   */
  add(content: ByteContent): void {
    const { length } = content;
    const before = this.length;
    this.#makeRoom(before + this.#head.length + maxBetween + length);
    const writer = this.#writer;
    writer.put(this.#head);
    writer.number(length);
    writer.put(headEnd);
    const start = writer.at;
    content.writeTo(writer);
    if (writer.at - start === length) return;
    writer.at = before;
    throw new Error('content of another length than it announces');
  }

  /** The buffer, to be written at once; only its first `length` bytes are valid. */
  get all(): Uint8Array {
    return this.#writer.bytes;
  }

  /** A copy of the bytes from `from` on. */
  rest(from: number): Uint8Array {
    return Buffer.from(this.all.subarray(from, this.length));
  }

  clear(): void {
    if (this.all.length > maxRetainedBytes) this.#writer = new ByteWriter(defaultBytes);
    else this.#writer.at = 0;
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.all.length) return;
    const grown = new ByteWriter(Math.max(bytes, this.all.length * 2));
    grown.range(this.all, 0, this.length);
    this.#writer = grown;
  }
}
