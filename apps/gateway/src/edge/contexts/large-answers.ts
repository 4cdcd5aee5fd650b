/**
 * Large bodies for callers: sent piece by piece as the caller reads them, and charged to the budget until then. The connection cuts off a caller that does
 * not read.
 */

import type { ChunkSource } from '@flowgate/bytes/buffered-body';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import { type ByteContent, bytesOf } from '@flowgate/bytes/byte-content';
import type { ContentCoding } from '@flowgate/http1/compression/accepted-coding';
import { type CompressedPieces, createCompression } from '@flowgate/http1/compression/compressed-pieces';

export type LargeAnswers = {
  /** A body of these pieces. The pieces are released when the body ends for any reason. */
  readonly stream: (source: ChunkSource | CompressedPieces) => ReadableStream<Uint8Array>;
  /** The same body in a content coding; undefined when the maximum number of bodies is being compressed, for this user or for all. */
  readonly compressed: (source: ChunkSource, coding: ContentCoding, userId: string) => CompressedPieces | undefined;
  /** The content in pieces, charged to `userId` before it is written; undefined when the budget has too few bytes left. */
  readonly charged: (userId: string, content: ByteContent) => ChunkSource | undefined;
  /** Like `charged`, but may exceed the budget, for answers that must be sent. The excess reduces what the user may receive next. */
  readonly overcharged: (userId: string, content: ByteContent) => ChunkSource;
  /** Whether the budget of `userId` is used up. */
  readonly isFull: (userId: string) => boolean;
  /** The number of bodies that are not completely sent. */
  readonly count: () => number;
};

/** In bytes of content, or in characters of a text. An answer up to this length is sent at once and not charged: the socket buffers of the system take it. */
export const smallAnswer = 65_536;
const pieceBytes = 65_536;

export function createLargeAnswers(budget: ByteBudget): LargeAnswers {
  const compression = createCompression();
  let count = 0;

  function stream(source: ChunkSource | CompressedPieces): ReadableStream<Uint8Array> {
    let isOver = false;
    const finish = () => {
      if (isOver) return;
      isOver = true;
      count -= 1;
      source.release();
    };
    count += 1;
    const put = (controller: ReadableStreamDefaultController<Uint8Array>, piece: Uint8Array | undefined) => {
      // The caller disconnected while this piece was made.
      if (isOver) return;
      if (piece === undefined) {
        finish();
        controller.close();
      } else controller.enqueue(piece);
    };
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
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

  const pieces = (userId: string, content: ByteContent) =>
    new BytePieces(bytesOf(content), () => budget.giveBack(userId, content.length));

  return {
    stream,
    compressed: compression.of,
    charged(userId, content) {
      return budget.take(userId, content.length) === 'granted' ? pieces(userId, content) : undefined;
    },
    overcharged(userId, content) {
      budget.overdraw(userId, content.length);
      return pieces(userId, content);
    },
    isFull: (userId) => budget.isFull(userId),
    count: () => count,
  };
}

/** Pieces of one block. The block is charged until its last piece is read, because each piece references all of it. */
class BytePieces implements ChunkSource {
  #at = 0;
  #isReleased = false;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly giveBack: () => void,
  ) {}

  next(): Uint8Array | undefined {
    const piece = this.bytes.subarray(this.#at, this.#at + pieceBytes);
    this.#at += piece.length;
    if (piece.length > 0) return piece;
    this.release();
    return undefined;
  }

  release(): void {
    this.#at = this.bytes.length;
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.giveBack();
  }
}
