/** The requests of one pipeline on their way out: gathered, and handed to the socket in one write. */
import type { Socket } from 'bun';

export class RequestWriter {
  /** Requests that the socket was not given yet. */
  gathered = 0;
  #text = '';
  /** What the socket did not take of what it was given. */
  #unsent: Uint8Array | undefined;

  get isEmpty(): boolean {
    return this.gathered === 0 && this.#unsent === undefined;
  }

  /** A whole request; what is not ASCII in it goes out as UTF-8. */
  add(text: string): void {
    this.#text += text;
    this.gathered++;
  }

  /** Hands over what was gathered, unless the socket still has to take what is before it. False when the socket is closed. */
  flush(socket: Socket<undefined> | undefined): boolean {
    if (this.gathered === 0 || this.#unsent !== undefined) return true;
    const text = this.#text;
    this.#text = '';
    this.gathered = 0;
    const written = socket?.write(text) ?? -1;
    if (written >= 0 && written < Buffer.byteLength(text)) this.#unsent = Buffer.from(text).subarray(written);
    return written >= 0;
  }

  /** The socket takes bytes again. False when it is closed. */
  drained(socket: Socket<undefined> | undefined): boolean {
    const unsent = this.#unsent;
    if (unsent === undefined) return true;
    const written = socket?.write(unsent) ?? -1;
    this.#unsent = written < unsent.length ? unsent.subarray(Math.max(0, written)) : undefined;
    return written >= 0 && this.flush(socket);
  }

  /** Forgets what did not leave. */
  clear(): void {
    this.#text = '';
    this.gathered = 0;
    this.#unsent = undefined;
  }
}
