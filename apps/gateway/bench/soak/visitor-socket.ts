/** A caller's socket for the soak test: sends at any pace, reads answers, and closes in every way. */

import { connect, type Socket } from 'node:net';

export type SoakAnswer = { readonly status: number; readonly head: string; readonly body: string };

const patienceMs = 60_000;

export class VisitorSocket {
  readonly #socket: Socket;
  #buffered: Buffer[] = [];
  #ended = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (piece: Buffer) => {
      this.#buffered.push(piece);
      this.#wake();
    });
    socket.on('error', () => {});
    const over = () => {
      this.#ended = true;
      this.#wake();
    };
    socket.on('end', over);
    socket.on('close', over);
  }

  static open(port: number): Promise<VisitorSocket> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    return new Promise((resolve, reject) => {
      socket.once('connect', () => resolve(new VisitorSocket(socket)));
      socket.once('error', reject);
    });
  }

  send(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Closes the sending side. */
  finish(): void {
    this.#socket.end();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Closes at once with a reset, like a caller that crashes. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The next complete final answer; undefined when the connection ended before one. Rejects after a minute. */
  async next(): Promise<SoakAnswer | undefined> {
    for (;;) {
      const bytes = Buffer.concat(this.#buffered);
      const found = readAnswer(bytes);
      this.#buffered = [found === undefined ? bytes : bytes.subarray(found.length)];
      if (found !== undefined) {
        if (found.answer.status < 200) continue;
        return found.answer;
      }
      if (this.#ended) return undefined;
      await this.#more();
    }
  }

  /** Settles when the other side has closed. Rejects after a minute. */
  async ended(): Promise<void> {
    while (!this.#ended) {
      this.#buffered = [];
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const late = setTimeout(() => reject(new Error('nothing came for a minute')), patienceMs);
    await promise.finally(() => clearTimeout(late));
  }
}

function readAnswer(bytes: Buffer): { answer: SoakAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const status = Number(head.slice(9, 12));
  const start = headEnd + 4;
  const announced = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (announced !== undefined || status < 200 || status === 204) {
    const end = start + Number(announced ?? 0);
    return bytes.length < end
      ? undefined
      : { answer: { status, head, body: bytes.toString('utf8', start, end) }, length: end };
  }
  const end = bytes.indexOf('\r\n0\r\n\r\n', start);
  return end < 0 ? undefined : { answer: { status, head, body: bytes.toString('utf8', start, end) }, length: end + 7 };
}
