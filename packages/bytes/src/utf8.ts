/** Checks whether bytes are UTF-8, in one block and in pieces. */

import { isUtf8 } from 'node:buffer';

/** In bytes. Up to this length, checking every byte for ASCII costs less than a call to the runtime. */
const maxScannedBytes = 64;

/** Whether `bytes[from, end)` is UTF-8. */
export function isUtf8Range(bytes: Uint8Array, from: number, end: number): boolean {
  if (end - from <= maxScannedBytes) {
    let all = 0;
    for (let at = from; at < end; at++) all |= bytes[at] ?? 0;
    if (all < 128) return true;
  }
  return isUtf8(bytes.subarray(from, end));
}

/** Checks bytes that arrive in pieces, split anywhere. */
export class Utf8Pieces {
  /** The bytes of an incomplete character at the end of the previous piece; at most three. */
  #unfinished: Uint8Array = new Uint8Array(0);

  /** Whether no character is incomplete. */
  get isWhole(): boolean {
    return this.#unfinished.length === 0;
  }

  /** Whether all bytes so far are UTF-8, apart from an incomplete character at the end. Do not call it after `false`. */
  push(bytes: Uint8Array): boolean {
    let from = 0;
    if (this.#unfinished.length > 0) {
      while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80 && from < 3) from++;
      const joined = Buffer.concat([this.#unfinished, bytes.subarray(0, from)]);
      if (from === bytes.length && unfinishedAtEnd(joined) === joined.length) {
        this.#unfinished = joined;
        return true;
      }
      if (!isUtf8(joined)) return false;
    }
    const end = bytes.length - unfinishedAtEnd(bytes.subarray(from));
    // A copy, because the owner of the piece may overwrite it. `slice` of a Buffer does not copy.
    this.#unfinished = Buffer.from(bytes.subarray(end));
    return isUtf8(bytes.subarray(from, end));
  }
}

/** The number of bytes at the end that begin an incomplete character. */
function unfinishedAtEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}
