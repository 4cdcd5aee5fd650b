/** Masking keys for the frames that a client sends (RFC 6455 5.3): unpredictable, a new one for each frame. */

import type { RandomBytes } from '@flowgate/base/random';

const keysAtOnce = 1024;

/** Returns the next key, as four bytes in a 32-bit integer. Random bytes are fetched for many keys together. */
export type TakeMask = () => number;

export function createMasks(randomBytes: RandomBytes): TakeMask {
  let keys: DataView = new DataView(new ArrayBuffer(0));
  let at = 0;
  return () => {
    if (at === keys.byteLength) {
      const { buffer, byteOffset, byteLength } = randomBytes(4 * keysAtOnce);
      keys = new DataView(buffer, byteOffset, byteLength);
      at = 0;
    }
    const mask = keys.getInt32(at);
    at += 4;
    return mask;
  };
}
