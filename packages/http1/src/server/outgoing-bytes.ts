/**
 * Sends bytes through one socket: bytes that the system does not accept at once are buffered, and sent when it has
 * room.
 */

import { type WriteLimits, WritePace } from './write-pace.ts';

/** The part of a socket that is used here. */
export type ByteSocket = {
  /**
   * Returns how many bytes the socket accepted: fewer than given when its buffer is full, negative when it is closed.
   */
  readonly write: (bytes: string | Uint8Array) => number;
  /** Like `write`, for a range of the bytes. The socket does not use them after the call. */
  readonly writeRange: (bytes: Uint8Array, from: number, length: number) => number;
};

/** A longer text is encoded before it is written: otherwise the rest of a partial write would have to be encoded again. */
const largeChars = 32_768;

export class OutgoingBytes {
  /** The number of waiting bytes. */
  length = 0;
  #unsent: Uint8Array[] = [];
  /** The pace of the current answer; undefined until some of it waits. */
  #pace: WritePace | undefined;
  #isOpenEnded = false;
  #isDropped = false;

  constructor(
    private readonly socket: ByteSocket,
    private readonly nowMs: () => number,
    /** Called when the number of waiting bytes has changed. */
    private readonly onChange: () => void = () => {},
  ) {}

  get isEmpty(): boolean {
    return this.#unsent.length === 0;
  }

  /**
   * The following bytes belong to another answer. `isOpenEnded`: it may take any time, at any rate, as long as the
   * caller fetches some of it.
   */
  begin(isOpenEnded: boolean): void {
    this.#isOpenEnded = isOpenEnded;
    if (this.#unsent.length === 0) this.#pace = undefined;
  }

  /** Whether the caller fetches the waiting bytes more slowly than the minimum. To be called about once a second. */
  isTooSlow(nowMs: number, limits: WriteLimits): boolean {
    const pace = this.#pace;
    if (pace === undefined) return false;
    if (this.#isOpenEnded) return pace.isStuck(nowMs, limits);
    return pace.isTooSlow(nowMs, limits) || pace.isTooLong(nowMs, limits);
  }

  send(bytes: string | Uint8Array): void {
    if (this.#unsent.length > 0) {
      this.#wait(encoded(bytes));
      return;
    }
    const sent = typeof bytes === 'string' && bytes.length > largeChars ? encoded(bytes) : bytes;
    const took = Math.max(0, this.socket.write(sent));
    this.#pace?.took(took, this.nowMs());
    // Few texts have more bytes than characters: the exact length is computed only when something may be left.
    if (took >= sent.length && (typeof sent !== 'string' || took >= Buffer.byteLength(sent))) return;
    this.#wait(encoded(sent).subarray(took));
  }

  /** Sends `bytes[from, end)` of a block that is reused afterwards. */
  sendRange(bytes: Uint8Array, from: number, end: number): void {
    if (this.#unsent.length > 0) {
      this.#wait(copyOf(bytes, from, end));
      return;
    }
    const took = Math.max(0, this.socket.writeRange(bytes, from, end - from));
    this.#pace?.took(took, this.nowMs());
    if (took < end - from) this.#wait(copyOf(bytes, from + took, end));
  }

  /** The socket has room again. */
  flush(): void {
    if (this.#unsent.length === 0) return;
    while (this.#unsent.length > 0) {
      const [first = new Uint8Array()] = this.#unsent;
      const took = Math.max(0, this.socket.write(first));
      this.length -= took;
      this.#pace?.took(took, this.nowMs());
      if (took < first.length) {
        this.#unsent[0] = first.subarray(took);
        this.onChange();
        return;
      }
      this.#unsent.shift();
    }
    this.#pace?.rest(this.nowMs());
    this.onChange();
  }

  /** The connection is gone: waiting bytes are dropped, and nothing is sent any more. */
  drop(): void {
    this.#isDropped = true;
    this.#unsent = [];
    this.length = 0;
    this.#pace = undefined;
  }

  #wait(bytes: Uint8Array): void {
    if (this.#isDropped) return;
    this.#unsent.push(bytes);
    this.length += bytes.length;
    this.#pace ??= new WritePace();
    this.#pace.wait(this.nowMs());
    this.onChange();
  }
}

/** Not `slice`: a Buffer's `slice` shares memory with the block, which the next answer overwrites. */
function copyOf(bytes: Uint8Array, from: number, end: number): Uint8Array {
  return Buffer.from(bytes.subarray(from, end));
}

function encoded(bytes: string | Uint8Array): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
}
