/** Writes whole messages to a Bun socket, which may accept only some of the bytes at a time. */
import type { Socket } from 'bun';

export class SocketWriter {
  #rest: Uint8Array | undefined;

  /** Call `drained` in the socket's `drain` handler. */
  constructor(readonly socket: Socket<unknown>) {}

  write(bytes: Uint8Array): void {
    if (this.#rest !== undefined) {
      this.#rest = Buffer.concat([this.#rest, bytes]);
      return;
    }
    const taken = Math.max(0, this.socket.write(bytes));
    // Copied, because the caller may reuse the bytes.
    if (taken < bytes.length) this.#rest = Buffer.from(bytes.subarray(taken));
  }

  drained(): void {
    const rest = this.#rest;
    if (rest === undefined) return;
    this.#rest = undefined;
    this.write(rest);
  }
}
