/**
 * Compresses a large answer piece by piece while it is sent, in the runtime's threads, within a bound for each user
 * (docs/decisions/0096).
 */

import { constants, createGzip, createZstdCompress } from 'node:zlib';
import { Tally } from '@flowgate/base/tally';
import type { ChunkSource } from '@flowgate/bytes/buffered-body';
import type { ContentCoding } from './accepted-coding.ts';
import { compressionLevel } from './compress.ts';

/** The pieces of a compressed body. Each is compressed when the caller fetches it. */
export type CompressedPieces = {
  /** Undefined at the end. Rejects when the bytes cannot be compressed, which is a bug. */
  readonly next: () => Promise<Uint8Array | undefined>;
  /** Frees everything. Repeating is harmless. */
  readonly release: () => void;
};

export type Compression = {
  /**
   * Undefined when the bound of bodies in progress is reached: the body is then sent uncompressed. Otherwise it owns
   * the source from then on.
   */
  readonly of: (source: ChunkSource, coding: ContentCoding, userId: string) => CompressedPieces | undefined;
  /** Bodies in progress. */
  readonly count: () => number;
};

export type CompressionBounds = { readonly total: number; readonly perUser: number };

/** Each takes about a megabyte, and a thread while it runs. */
const defaultBounds: CompressionBounds = { total: 32, perUser: 4 };
const pieceBytes = 65_536;

export function createCompression({ total, perUser }: CompressionBounds = defaultBounds): Compression {
  const ofUser = new Tally();
  return {
    of(source, coding, userId) {
      if (ofUser.total >= total || ofUser.of(userId) >= perUser) return undefined;
      ofUser.add(userId);
      return new Encoder(source, coding, () => ofUser.remove(userId));
    },
    count: () => ofUser.total,
  };
}

class Encoder implements CompressedPieces {
  readonly #stream: ReturnType<typeof createGzip>;
  #made: Uint8Array[] = [];
  #isEnded = false;
  #isReleased = false;
  readonly #failed = Promise.withResolvers<never>();

  constructor(
    private readonly source: ChunkSource,
    coding: ContentCoding,
    private readonly onReleased: () => void,
  ) {
    this.#stream =
      coding === 'gzip'
        ? createGzip({ level: compressionLevel, chunkSize: pieceBytes })
        : createZstdCompress({
            chunkSize: pieceBytes,
            params: { [constants.ZSTD_c_compressionLevel]: compressionLevel },
          });
    this.#stream.on('data', (piece: Uint8Array) => this.#made.push(piece));
    this.#stream.on('error', (cause) => this.#failed.reject(cause));
    this.#failed.promise.catch(() => {});
  }

  async next(): Promise<Uint8Array | undefined> {
    while (this.#made.length === 0) {
      if (this.#isEnded) return undefined;
      const piece = this.source.next();
      await Promise.race([piece === undefined ? this.#end() : this.#push(piece), this.#failed.promise]);
    }
    const made = this.#made;
    this.#made = [];
    return made.length === 1 ? made[0] : Buffer.concat(made);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#stream.destroy();
    this.source.release();
    this.onReleased();
  }

  #push(piece: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#stream.write(piece, () => resolve()));
  }

  #end(): Promise<void> {
    this.#isEnded = true;
    return new Promise((resolve) => this.#stream.once('end', resolve).end());
  }
}
