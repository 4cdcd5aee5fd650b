/** Large bodies for callers: sent piece by piece as they are fetched, and charged until then. The connection cuts off a caller that does not fetch them. */

import type { ChunkSource } from '@flowgate/bytes/buffered-body';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import { type ByteContent, bytesOf } from '@flowgate/bytes/byte-content';
import type { ContentCoding } from '@flowgate/http1/compression/accepted-coding';
import { type CompressedPieces, createCompression } from '@flowgate/http1/compression/compressed-pieces';

export type LargeAnswers = {
  /** A body of these pieces, which are released in any case. */
  readonly stream: (source: ChunkSource | CompressedPieces) => ReadableStream<Uint8Array>;
  /** The same body in a content coding; undefined when as many are being compressed as may be, for this user or in all. */
  readonly compressed: (source: ChunkSource, coding: ContentCoding, userId: string) => CompressedPieces | undefined;
  /** The content in pieces that are charged to `userId` before it is written; undefined when there is no room. */
  readonly charged: (userId: string, content: ByteContent) => ChunkSource | undefined;
  /** As `charged`, whether there is room or not, for answers that must be sent: they leave their user the less. */
  readonly overcharged: (userId: string, content: ByteContent) => ChunkSource;
  /** Whether a further answer could not be charged to `userId`. */
  readonly isFull: (userId: string) => boolean;
  /** The number of bodies that have not been sent completely. */
  readonly count: () => number;
};

/** In bytes of content, or in characters of a text. An answer up to this length is sent at once: the system's buffers take it, and it is not charged. */
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
      // The caller left while this piece was being made.
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

/** Pieces of one block, which is charged until the last of them was taken: a piece keeps all of it in memory. */
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
