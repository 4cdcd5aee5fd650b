/**
 * Compresses an answer that is sent in one piece. It runs on the event loop, because 64 KiB take less time than a
 * switch to another thread (docs/decisions/0096).
 */

import { gzipSync } from 'node:zlib';
import { type ByteContent, bytesOf } from '@flowgate/bytes/byte-content';
import type { ByteWriter } from '@flowgate/bytes/byte-writer';
import type { ContentCoding } from './accepted-coding.ts';

/** In bytes, or characters of a text. Shorter answers fit into one packet anyway. */
export const worthCompressing = 1_024;

/** Higher levels take two to five times as long and save a tenth. */
export const compressionLevel = 1;

/** Undefined when the result is not shorter. */
export function compressed(body: string | ByteContent | Uint8Array, coding: ContentCoding): ByteContent | undefined {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : bytesOf(body);
  const result = compressedBytes(bytes, coding, compressionLevel);
  return result.length < bytes.length ? new BytesContent(result) : undefined;
}

function compressedBytes(bytes: Uint8Array<ArrayBufferLike>, coding: ContentCoding, level: number): Uint8Array {
  return coding === 'zstd' ? Bun.zstdCompressSync(bytes, { level }) : gzipSync(bytes, { level });
}

class BytesContent implements ByteContent {
  constructor(private readonly bytes: Uint8Array) {}

  get length(): number {
    return this.bytes.length;
  }

  writeTo(writer: ByteWriter): void {
    writer.put(this.bytes);
  }
}

/** For bodies that are compressed once: a third to a half shorter than at `compressionLevel`. */
const levelOnce = 6;

/** Bodies that are the same object for every request, such as the reference page. */
const compressedBodies = new WeakMap<Uint8Array, Map<ContentCoding, Uint8Array<ArrayBuffer> | undefined>>();

/** Like `compressed`, for bytes that do not change and are sent repeatedly. All callers share the result. */
export function compressedOnce(bytes: Uint8Array, coding: ContentCoding): Uint8Array<ArrayBuffer> | undefined {
  const known = compressedBodies.get(bytes) ?? new Map<ContentCoding, Uint8Array<ArrayBuffer> | undefined>();
  compressedBodies.set(bytes, known);
  if (!known.has(coding)) {
    const result = Uint8Array.from(compressedBytes(bytes, coding, levelOnce));
    known.set(coding, result.length < bytes.length ? result : undefined);
  }
  return known.get(coding);
}
