/** Large bodies on their way to callers: sent piece by piece as they are fetched, charged until then, and cut off when the caller does not fetch them. */

import type { ByteBudget } from '../platform/bytes/byte-budget.ts';
import type { ChunkSource } from '../platform/bytes/held-parts.ts';
import type { TimerWheel } from '../platform/timer-wheel.ts';
import type { ContentCoding } from './compression/accepted-coding.ts';
import { type CompressedPieces, createCompression } from './compression/compressed-pieces.ts';
import type { IncomingRequest } from './incoming-request.ts';

export type LargeAnswersOptions = {
  readonly budget: ByteBudget;
  readonly timerWheel: TimerWheel;
  /** A body is cut off, with its connection, when nothing of it was fetched for this long. */
  readonly writeTimeoutMs: number;
};

export type LargeAnswers = {
  /** The body of the answer to `asked`. Its pieces are released here in any case. */
  readonly stream: (
    asked: Pick<IncomingRequest, 'letGo'>,
    source: ChunkSource | CompressedPieces,
  ) => ReadableStream<Uint8Array>;
  /** The same body in a content coding; undefined when as many are being compressed as may be, for this user or in all. */
  readonly compressed: (source: ChunkSource, coding: ContentCoding, userId: string) => CompressedPieces | undefined;
  /** The bytes in pieces that are charged to `userId`; undefined when there is no room. */
  readonly counted: (userId: string, bytes: Uint8Array) => ChunkSource | undefined;
  /** The bytes in pieces that are not charged, for answers that must be sent in any case. */
  readonly uncounted: (bytes: Uint8Array) => ChunkSource;
  /** The number of bodies that have not been sent completely. */
  readonly count: () => number;
};

/** In bytes of content, or in characters of a text. An answer up to this length is sent at once: the system's buffers take it, and it is not charged. */
export const smallAnswer = 65_536;
const pieceBytes = 65_536;

export function createLargeAnswers(options: LargeAnswersOptions): LargeAnswers {
  const { budget, timerWheel, writeTimeoutMs } = options;
  const compression = createCompression();
  let count = 0;

  function stream(
    asked: Pick<IncomingRequest, 'letGo'>,
    source: ChunkSource | CompressedPieces,
  ): ReadableStream<Uint8Array> {
    let isOver = false;
    const finish = () => {
      if (isOver) return;
      isOver = true;
      count -= 1;
      timerWheel.disarm(deadline);
      source.release();
    };
    const cutOff = () => {
      finish();
      // A piece that was not fetched keeps the connection until the server ends it.
      asked.letGo();
    };
    count += 1;
    let deadline = timerWheel.arm(writeTimeoutMs, cutOff);
    const put = (controller: ReadableStreamDefaultController<Uint8Array>, piece: Uint8Array | undefined) => {
      // The caller left while this piece was being made.
      if (isOver) return;
      if (piece === undefined) {
        finish();
        controller.close();
        return;
      }
      deadline = timerWheel.arm(writeTimeoutMs, cutOff);
      controller.enqueue(piece);
    };
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          // Cut off: nothing more is sent before the connection ends, so that the caller does not take the part for the whole.
          if (isOver) return;
          timerWheel.disarm(deadline);
          const piece = source.next();
          if (!(piece instanceof Promise)) {
            put(controller, piece);
            return;
          }
          return piece.then(
            (made) => put(controller, made),
            (cause: unknown) => {
              finish();
              throw cause;
            },
          );
        },
        cancel: finish,
      },
      { highWaterMark: 0 },
    );
  }

  return {
    stream,
    compressed: compression.of,
    uncounted: (bytes) => new BytePieces(bytes, () => {}),
    counted(userId, bytes) {
      if (budget.take(userId, bytes.length) !== 'granted') return undefined;
      return new BytePieces(bytes, (fetched) => budget.giveBack(userId, fetched));
    },
    count: () => count,
  };
}

class BytePieces implements ChunkSource {
  #at = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly giveBack: (bytes: number) => void,
  ) {}

  next(): Uint8Array | undefined {
    const piece = this.bytes.subarray(this.#at, this.#at + pieceBytes);
    this.#leave(piece.length);
    return piece.length === 0 ? undefined : piece;
  }

  release(): void {
    this.#leave(this.bytes.length - this.#at);
  }

  #leave(bytes: number): void {
    this.#at += bytes;
    if (bytes > 0) this.giveBack(bytes);
  }
}
