/** Whether a part of a block of bytes is UTF-8. */

import { isUtf8 } from 'node:buffer';

/** Bytes. Up to this length, checking every byte for ASCII costs less than a call to the runtime. */
const mostBytesLookedAt = 64;

/** Of `bytes[from, end)`. */
export function isUtf8Range(bytes: Uint8Array, from: number, end: number): boolean {
  if (end - from <= mostBytesLookedAt) {
    let all = 0;
    for (let at = from; at < end; at++) all |= bytes[at] ?? 0;
    if (all < 128) return true;
  }
  return isUtf8(bytes.subarray(from, end));
}
