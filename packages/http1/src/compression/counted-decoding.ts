/** Decodes a content coding as a stream, off the event loop, and asks for room for each piece before it continues. */

import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { ByteBuffer } from '@flowgate/bytes/byte-buffer';
import { zstdWindowBytes } from './zstd-frames.ts';

export type BodyCoding = 'gzip' | 'zstd';

/** `stopped`: `mayGoOn` said so. */
export type CountedDecoding = Uint8Array | 'malformed' | 'stopped';

const pieceBytes = 65_536;
/** 8 MiB: the most that a decoder has to have (RFC 9659), and the most memory that one body takes besides itself. */
const zstdWindowLog = 23;
const maxWindowBytes = 2 ** zstdWindowLog;
const gzipWindowBytes = 32_768;

/**
 * `mayBegin` is asked with the memory that the decoder takes until the promise is settled; `mayGoOn` with the size of each piece as it comes. After `false` nothing more is decoded. Malformed is what is not whole, too, and what has anything behind its end. Never
 * rejects.
 */
export function decodeCounted(
  bytes: Uint8Array,
  coding: BodyCoding,
  mayGoOn: (pieceBytes: number) => boolean,
  mayBegin: (windowBytes: number) => boolean = () => true,
): Promise<CountedDecoding> {
  const windowBytes = coding === 'zstd' ? zstdWindowBytes(bytes) : gzipWindowBytes;
  if (windowBytes === undefined || windowBytes > maxWindowBytes) return Promise.resolve('malformed');
  if (!mayBegin(windowBytes)) return Promise.resolve('stopped');
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
