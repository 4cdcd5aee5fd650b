/** Decodes a content coding as a stream, off the event loop, and asks for room for each piece before it goes on. */

import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { ByteBuffer } from './bytes/byte-buffer.ts';
import { areWholeZstdFrames } from './zstd-frames.ts';

export type BodyCoding = 'gzip' | 'zstd';

/** `stopped`: `mayGoOn` said so. */
export type CountedDecoding = Uint8Array | 'malformed' | 'stopped';

const pieceBytes = 65_536;
/** 8 MiB: the most that a decoder has to have (RFC 9659), and the most memory that one body takes besides itself. */
const zstdWindowLog = 23;

/**
 * `mayGoOn` is asked with the size of each piece as it comes; after `false` nothing more is decoded. Malformed is what is not whole, too, and what has anything behind its end. Never
 * rejects.
 */
export function decodeCounted(
  bytes: Uint8Array,
  coding: BodyCoding,
  mayGoOn: (pieceBytes: number) => boolean,
): Promise<CountedDecoding> {
  if (coding === 'zstd' && !areWholeZstdFrames(bytes)) return Promise.resolve('malformed');
  const decoder =
    coding === 'gzip'
      ? createGunzip({ chunkSize: pieceBytes })
      : createZstdDecompress({ chunkSize: pieceBytes, params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog } });
  const held = new ByteBuffer();
  return new Promise((resolve) => {
    const end = (outcome: CountedDecoding) => {
      decoder.destroy();
      resolve(outcome);
    };
    decoder.on('data', (piece: Uint8Array) => {
      if (decoder.destroyed) return;
      if (mayGoOn(piece.length)) held.append(piece, 0, piece.length);
      else end('stopped');
    });
    decoder.on('end', () => end(held.view()));
    decoder.on('error', () => end('malformed'));
    decoder.end(bytes);
  });
}
