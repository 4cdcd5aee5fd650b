/** Sends bytes by one socket: bytes that the system does not take at once are kept, and sent when it has room. */

/** The part of a socket that is needed. */
export type ByteSocket = {
  /** Returns how many bytes it took: fewer than given when its buffer is full, negative when it is closed. */
  readonly write: (bytes: string | Uint8Array) => number;
  /** As `write`, for a range of the bytes, which are not kept. */
  readonly writeRange: (bytes: Uint8Array, from: number, length: number) => number;
};

/** A longer text is encoded before it is written: otherwise the rest of a partial write would have to be encoded again. */
const largeChars = 32_768;

export class OutgoingBytes {
  #unsent: Uint8Array[] = [];
  /** The time at which the socket last took something while more was waiting, in monotonic milliseconds; undefined when nothing waits. */
  stuckSinceMs: number | undefined;

  constructor(
    private readonly socket: ByteSocket,
    private readonly nowMs: () => number,
  ) {}

  get isEmpty(): boolean {
    return this.#unsent.length === 0;
  }

  send(bytes: string | Uint8Array): void {
    if (this.#unsent.length > 0) {
      this.#unsent.push(encoded(bytes));
      return;
    }
    const sent = typeof bytes === 'string' && bytes.length > largeChars ? encoded(bytes) : bytes;
    const took = Math.max(0, this.socket.write(sent));
    // Few texts have more bytes than characters: the exact length is computed only when something may be left.
    if (took >= sent.length && (typeof sent !== 'string' || took >= Buffer.byteLength(sent))) return;
    this.#unsent.push(encoded(sent).subarray(took));
    this.stuckSinceMs = this.nowMs();
  }

  /** Sends `bytes[from, end)` of a block that is reused afterwards. */
  sendRange(bytes: Uint8Array, from: number, end: number): void {
    if (this.#unsent.length > 0) {
      this.#unsent.push(bytes.slice(from, end));
      return;
    }
    const took = Math.max(0, this.socket.writeRange(bytes, from, end - from));
    if (took >= end - from) return;
    this.#unsent.push(bytes.slice(from + took, end));
    this.stuckSinceMs = this.nowMs();
  }

  /** The socket has room again. */
  flush(): void {
    while (this.#unsent.length > 0) {
      const [first = new Uint8Array()] = this.#unsent;
      const took = Math.max(0, this.socket.write(first));
      if (took > 0) this.stuckSinceMs = this.nowMs();
      if (took < first.length) {
        this.#unsent[0] = first.subarray(took);
        return;
      }
      this.#unsent.shift();
    }
    this.stuckSinceMs = undefined;
  }
}

function encoded(bytes: string | Uint8Array): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
}
