/** The content of one request as it arrives: of a length that was announced, or chunked. Knows no socket; whoever feeds it asks it whether to go on. */

import { ByteBuffer } from '../../platform/bytes/byte-buffer.ts';
import { ChunkedDecoder } from '../../platform/http1/http1-chunked.ts';
import type { RequestBody } from '../incoming-request.ts';

export type IncomingBodyOwner = {
  /** Somebody waits for content that has not come. */
  readonly wanted: () => void;
  /** What was held is gone: there is room for more. */
  readonly hasRoom: () => void;
};

/** Content that nobody has fetched: the connection is not read further beyond this. */
export const mostHeldBytes = 65_536;

const malformed = new Error('The chunked content is not valid.');

export class IncomingBody implements RequestBody {
  /** Bytes that the head announced; infinite when it comes in chunks. */
  readonly announced: number;
  /** Its last byte has come. */
  isComplete: boolean;
  #missing: number;
  #received = 0;
  readonly #chunked: ChunkedDecoder | undefined;
  #held: ByteBuffer | undefined;
  /** The whole content, when it came in one piece: `[#wholeFrom, #wholeEnd)` of it. A view of it costs more than reading it as text. */
  #whole: Buffer | undefined;
  #wholeFrom = 0;
  #wholeEnd = 0;
  #isDiscarded = false;
  #failure: Error | undefined;
  #waiting: PromiseWithResolvers<Uint8Array | undefined> | undefined;

  constructor(
    announced: number | 'chunked',
    private readonly owner: IncomingBodyOwner,
  ) {
    this.#chunked = announced === 'chunked' ? new ChunkedDecoder(Number.MAX_SAFE_INTEGER) : undefined;
    this.announced = announced === 'chunked' ? Number.POSITIVE_INFINITY : announced;
    this.#missing = this.announced;
    this.isComplete = announced === 0;
  }

  /** For the chunked decoder: content so far. */
  get length(): number {
    return this.#received;
  }

  /** More than this is not to be read from the socket for now. */
  get isFull(): boolean {
    return !this.#isDiscarded && (this.#held?.length ?? 0) >= mostHeldBytes;
  }

  /** Takes what is its own of `bytes[from…]`, and keeps a view of it. Answers the index after that, -1 for content that is malformed: nothing behind it is kept. */
  push(bytes: Buffer, from: number): number {
    if (this.#failure !== undefined) return -1;
    const end = this.#chunked === undefined ? this.#pushPlain(bytes, from) : this.#chunked.push(bytes, from, this);
    if (this.#chunked?.fault !== undefined) {
      this.fail(malformed);
      return -1;
    }
    if (this.#chunked?.done === true) this.isComplete = true;
    this.#deliver();
    return end;
  }

  #pushPlain(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#missing);
    this.#missing -= end - from;
    this.isComplete = this.#missing === 0;
    if (this.isComplete && this.#received === 0 && !this.#isDiscarded) {
      this.#received = end - from;
      this.#whole = bytes;
      this.#wholeFrom = from;
      this.#wholeEnd = end;
    } else this.append(bytes, from, end);
    return end;
  }

  /** For the chunked decoder. */
  append(bytes: Uint8Array, from: number, to: number): void {
    this.#received += to - from;
    if (this.#isDiscarded) return;
    this.#held ??= new ByteBuffer();
    this.#held.append(bytes, from, to);
  }

  /** All of it when it has come and nobody has fetched any; without a promise, for the hot path. To be called once, before `next`. */
  takeWhole(): Uint8Array | undefined {
    if (!this.isComplete || this.#failure !== undefined || this.#isDiscarded) return undefined;
    return this.#take() ?? new Uint8Array();
  }

  /** What has come since the last one, undefined at the end. Rejects when the connection broke or what came is malformed. One at a time. */
  next(): Promise<Uint8Array | undefined> {
    const piece = this.#take();
    if (piece !== undefined) return Promise.resolve(piece);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.isComplete || this.#isDiscarded) return Promise.resolve(undefined);
    this.#waiting = Promise.withResolvers();
    this.owner.wanted();
    return this.#waiting.promise;
  }

  /** Nobody fetches the rest: what comes of it is thrown away. */
  discard(): void {
    this.#isDiscarded = true;
    this.#whole = undefined;
    this.#held = undefined;
    this.#deliver();
    this.owner.hasRoom();
  }

  /** Nothing more comes. */
  fail(reason: Error): void {
    if (this.isComplete) return;
    this.#failure ??= reason;
    this.#deliver();
  }

  #take(): Uint8Array | undefined {
    const whole = this.#whole;
    this.#whole = undefined;
    if (whole !== undefined) return whole.subarray(this.#wholeFrom, this.#wholeEnd);
    if (this.#held === undefined || this.#held.length === 0) return undefined;
    const wasFull = this.isFull;
    const piece = this.#held.view();
    this.#held = undefined;
    if (wasFull) this.owner.hasRoom();
    return piece;
  }

  #deliver(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    const piece = this.#take();
    if (piece === undefined && this.#failure === undefined && !this.isComplete && !this.#isDiscarded) return;
    this.#waiting = undefined;
    if (piece === undefined && this.#failure !== undefined) waiting.reject(this.#failure);
    else waiting.resolve(piece);
  }
}
