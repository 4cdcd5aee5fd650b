/**
 * The content of one request as it arrives, with an announced length or chunked. It has no reference to the socket; the
 * connection checks `isFull` before it continues to read.
 */

import { unmetered, type WorkMeter } from '@flowgate/async/turn-budget';
import { ByteBuffer } from '@flowgate/bytes/byte-buffer';
import { ChunkedDecoder } from '../client/chunked-decoder.ts';
import type { RequestBody } from './incoming-request.ts';

export type IncomingBodyOwner = {
  /** A reader waits for content that has not arrived. */
  readonly wanted: () => void;
  /** Buffered content was consumed: there is room for more. */
  readonly hasRoom: () => void;
};

/** The maximum number of content bytes that are buffered. Beyond it the connection is not read. */
export const maxBufferedBytes = 65_536;

const malformed = new Error('The chunked content is not valid.');
/** Reads of content reject with this error. */
export const tooManyChunks = new Error('The chunked content has too many chunks.');

export class IncomingBody implements RequestBody {
  /** The bytes that the head announced; infinite for chunked content. */
  readonly announced: number;
  /** The last byte of content has arrived. */
  isComplete: boolean;
  #missing: number;
  #received = 0;
  readonly #chunked: ChunkedDecoder | undefined;
  #buffer: ByteBuffer | undefined;
  /**
   * The whole content, if it arrived in one piece: the range `[#wholeFrom, #wholeEnd)`. A view of it would cost more
   * than reading it as text.
   */
  #whole: Buffer | undefined;
  #wholeFrom = 0;
  #wholeEnd = 0;
  #isDiscarded = false;
  #failure: Error | undefined;
  #waiting: PromiseWithResolvers<Uint8Array | undefined> | undefined;

  constructor(
    announced: number | 'chunked',
    private readonly owner: IncomingBodyOwner,
    work: WorkMeter = unmetered,
  ) {
    this.#chunked = announced === 'chunked' ? new ChunkedDecoder(Number.MAX_SAFE_INTEGER, work) : undefined;
    this.announced = announced === 'chunked' ? Number.POSITIVE_INFINITY : announced;
    this.#missing = this.announced;
    this.isComplete = announced === 0;
  }

  /** The bytes received so far; for the chunked decoder. */
  get length(): number {
    return this.#received;
  }

  /** The bytes that arrived and were not consumed. */
  get buffered(): number {
    return (this.#whole === undefined ? 0 : this.#wholeEnd - this.#wholeFrom) + (this.#buffer?.length ?? 0);
  }

  /** Whether reading from the socket must pause. */
  get isFull(): boolean {
    return !this.#isDiscarded && (this.#buffer?.length ?? 0) >= maxBufferedBytes;
  }

  /**
   * Consumes its part of `bytes[from…]`, and stores a view of it. Returns the index after that part, or the index at
   * which its share of the turn ended, or -1 for malformed content, of which nothing is stored.
   */
  push(bytes: Buffer, from: number): number {
    if (this.#failure !== undefined) return -1;
    const end = this.#chunked === undefined ? this.#pushPlain(bytes, from) : this.#chunked.push(bytes, from, this);
    if (this.#chunked?.fault !== undefined) {
      this.fail(this.#chunked.fault === 'too-many-chunks' ? tooManyChunks : malformed);
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
    this.#buffer ??= new ByteBuffer();
    this.#buffer.append(bytes, from, to);
  }

  /** The whole content, if it has arrived and none was consumed; without a promise, for the hot path. Call it once, before `next`. */
  takeWhole(): Uint8Array | undefined {
    if (!this.isComplete || this.#failure !== undefined || this.#isDiscarded) return undefined;
    return this.#take() ?? new Uint8Array();
  }

  /** The content since the last call, undefined at the end. Rejects when the connection broke or the content is malformed. One call at a time. */
  next(): Promise<Uint8Array | undefined> {
    const piece = this.#take();
    if (piece !== undefined) return Promise.resolve(piece);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.isComplete || this.#isDiscarded) return Promise.resolve(undefined);
    this.#waiting = Promise.withResolvers();
    this.owner.wanted();
    return this.#waiting.promise;
  }

  /** Drops the rest as it arrives. */
  discard(): void {
    this.#isDiscarded = true;
    this.#whole = undefined;
    this.#buffer = undefined;
    this.#deliver();
    this.owner.hasRoom();
  }

  /**
   * No more content arrives: after the buffered content, reads reject with `reason`. No effect once the content is
   * complete.
   */
  fail(reason: Error): void {
    if (this.isComplete) return;
    this.#failure ??= reason;
    this.#deliver();
  }

  #take(): Uint8Array | undefined {
    const whole = this.#whole;
    this.#whole = undefined;
    if (whole !== undefined) return whole.subarray(this.#wholeFrom, this.#wholeEnd);
    if (this.#buffer === undefined || this.#buffer.length === 0) return undefined;
    const wasFull = this.isFull;
    const piece = this.#buffer.view();
    this.#buffer = undefined;
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
