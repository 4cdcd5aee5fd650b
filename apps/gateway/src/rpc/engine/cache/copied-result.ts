/** A large result copied into one piece, for the cache. */

import type { BufferedPart } from '@flowgate/bytes/buffered-body';
import { ByteRange } from '@flowgate/bytes/byte-range';
import type { TextAnswer } from '../../../upstream/port/node-port.ts';

/** Undefined when the result is longer than `maxBytes`. */
export function copiedResult(parts: readonly BufferedPart[], maxBytes: number): TextAnswer | undefined {
  let length = 0;
  for (const part of parts)
    length += typeof part === 'object' && 'source' in part ? part.end - part.start : part.length;
  if (length > maxBytes) return undefined;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    if (typeof part !== 'object' || !('source' in part)) {
      const piece = typeof part === 'string' ? Buffer.from(part) : part;
      // A text may have more bytes than characters.
      if (at + piece.length > length) return undefined;
      bytes.set(piece, at);
      at += piece.length;
      continue;
    }
    for (let from = part.start; from < part.end; ) {
      const piece = part.source.view(from, part.end);
      if (piece.length === 0) return undefined;
      bytes.set(piece, at);
      at += piece.length;
      from += piece.length;
    }
  }
  return { kind: 'result', raw: new ByteRange(bytes, 0, at) };
}
