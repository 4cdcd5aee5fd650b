/** Reads HTTP/1.1 messages with a content-length from a byte stream, with minimal parsing so that measurements stay exact. */

export type HttpMessage = {
  /** Request or status line with the header fields, without the empty line at the end. */
  readonly head: string;
  readonly body: Buffer;
};

const endOfHead = '\r\n\r\n';
const contentLength = /\r\ncontent-length: *(\d+)/i;

/** A message without a content-length has no body. A chunked message throws, because a guessed message end would falsify the measurement. */
export class HttpReader {
  #pending: Buffer | undefined;

  /** Takes a chunk of the socket and returns the next whole message; without an argument returns further messages of earlier chunks. */
  next(chunk?: Buffer): HttpMessage | undefined {
    const bytes = this.#joined(chunk);
    if (bytes === undefined) return undefined;
    const headEnd = bytes.indexOf(endOfHead);
    if (headEnd < 0) return this.#wait(bytes);
    const head = bytes.toString('latin1', 0, headEnd);
    const bodyStart = headEnd + endOfHead.length;
    const bodyEnd = bodyStart + bodyLength(head);
    if (bytes.length < bodyEnd) return this.#wait(bytes);
    this.#pending = bytes.length === bodyEnd ? undefined : bytes.subarray(bodyEnd);
    return { head, body: bytes.subarray(bodyStart, bodyEnd) };
  }

  /** Bytes that belong to no message returned so far. */
  get leftoverBytes(): number {
    return this.#pending?.length ?? 0;
  }

  #joined(chunk: Buffer | undefined): Buffer | undefined {
    if (this.#pending === undefined) return chunk;
    return chunk === undefined ? this.#pending : Buffer.concat([this.#pending, chunk]);
  }

  #wait(bytes: Buffer): undefined {
    // Copied, because the runtime reuses the memory of a data handler's chunk.
    this.#pending = bytes === this.#pending ? bytes : Buffer.from(bytes);
    return undefined;
  }
}

function bodyLength(head: string): number {
  const length = contentLength.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  if (/\r\ntransfer-encoding:/i.test(head)) throw new Error('the load tools read no chunked messages');
  return 0;
}

/** The status in an answer's head; NaN when there is no status line. */
export function statusOf(head: string): number {
  return Number(head.slice(9, 12));
}
