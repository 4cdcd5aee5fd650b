/** Collects the requests of one pipeline, and passes them to the socket in one write. */

import type { ByteContent } from '@flowgate/bytes/byte-content';
import type { Socket } from 'bun';
import { RequestBytes } from './request-bytes.ts';

export class RequestWriter {
  /** The number of requests that were not passed to the socket yet. */
  gathered = 0;
  readonly #requests: RequestBytes;
  /** The bytes that the socket did not take. */
  #unsent: Uint8Array | undefined;

  /** `head`: the head of each request up to the value of Content-Length; ASCII. */
  constructor(head: string) {
    this.#requests = new RequestBytes(head);
  }

  get isEmpty(): boolean {
    return this.gathered === 0 && this.#unsent === undefined;
  }

  add(content: ByteContent): void {
    this.#requests.add(content);
    this.gathered++;
  }

  /** Writes the collected requests, unless earlier bytes still wait for the socket. False when the socket is closed. */
  flush(socket: Socket<undefined> | undefined): boolean {
    if (this.gathered === 0 || this.#unsent !== undefined) return true;
    const { all, length } = this.#requests;
    const written = socket?.write(all, 0, length) ?? -1;
    if (written >= 0 && written < length) this.#unsent = this.#requests.rest(written);
    this.#requests.clear();
    this.gathered = 0;
    return written >= 0;
  }

  /** To be called when the socket takes bytes again. False when it is closed. */
  drained(socket: Socket<undefined> | undefined): boolean {
    const unsent = this.#unsent;
    if (unsent === undefined) return true;
    const written = socket?.write(unsent) ?? -1;
    this.#unsent = written < unsent.length ? unsent.subarray(Math.max(0, written)) : undefined;
    return written >= 0 && this.flush(socket);
  }

  /** Discards everything that was not sent. */
  clear(): void {
    this.#requests.clear();
    this.gathered = 0;
    this.#unsent = undefined;
  }
}
