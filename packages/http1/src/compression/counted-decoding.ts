/**
 * Decodes a content coding as a stream, off the event loop. Before each piece, the caller decides whether decoding
 * continues.
 */

import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { ByteBuffer } from '@flowgate/bytes/byte-buffer';
import { zstdWindowBytes } from './zstd-window.ts';

export type BodyCoding = 'gzip' | 'zstd';

/** `stopped`: `mayBegin` or `mayContinue` returned false. */
export type CountedDecoding = Uint8Array | 'malformed' | 'stopped';

const pieceBytes = 65_536;
/**
 * 8 MiB: the window that every decoder must support (RFC 9659), and the maximum memory for one body besides its
 * content.
 */
const zstdWindowLog = 23;
const maxWindowBytes = 2 ** zstdWindowLog;
const gzipWindowBytes = 32_768;

/**
 * `mayBegin` is called with the memory that the decoder uses until the promise settles; `mayContinue` with the size of
 * each decoded piece. After `false` nothing more is decoded. Truncated bytes, and bytes with trailing data, are
 * malformed. Never rejects.
 */
export function decodeCounted(
  bytes: Uint8Array,
  coding: BodyCoding,
  mayContinue: (pieceBytes: number) => boolean,
  mayBegin: (windowBytes: number) => boolean = () => true,
): Promise<CountedDecoding> {
  const windowBytes = coding === 'zstd' ? zstdWindowBytes(bytes) : gzipWindowBytes;
  if (windowBytes === undefined || windowBytes > maxWindowBytes) return Promise.resolve('malformed');
  if (!mayBegin(windowBytes)) return Promise.resolve('stopped');
  const decoder =
    coding === 'gzip'
      ? createGunzip({ chunkSize: pieceBytes })
      : createZstdDecompress({ chunkSize: pieceBytes, params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog } });
  const decoded = new ByteBuffer();
  return new Promise((resolve) => {
    const end = (outcome: CountedDecoding) => {
      decoder.destroy();
      resolve(outcome);
    };
    decoder.on('data', (piece: Uint8Array) => {
      if (decoder.destroyed) return;
      if (mayContinue(piece.length)) decoded.append(piece, 0, piece.length);
      else end('stopped');
    });
    decoder.on('end', () => end(decoded.view()));
    decoder.on('error', () => end('malformed'));
    decoder.end(bytes);
  });
}
