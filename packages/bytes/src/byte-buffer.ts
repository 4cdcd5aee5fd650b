/**
 * Collects bytes that arrive in pieces in one block that doubles. Its size follows the bytes that arrived, never an
 * announced length.
 */

const smallestBytes = 4096;
const maxRetainedBytes = 16_384;

export class ByteBuffer {
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Copies `bytes[from, to)`; the caller may reuse its array at once. */
  append(bytes: Uint8Array, from: number, to: number): void {
    const length = this.#length + to - from;
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, this.#bytes.length * 2, smallestBytes));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), this.#length);
    this.#length = length;
  }

  /** The bytes so far, valid until the next `append` or `clear`. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The bytes so far, which no later call changes; this buffer is then empty. */
  take(): Uint8Array {
    const taken = this.view();
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
    return taken;
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > maxRetainedBytes) this.#bytes = new Uint8Array(0);
  }
}
