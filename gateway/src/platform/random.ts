/** Randomness comes in as an argument everywhere; this file is the one place that asks the machine for it. */

import { randomBytes } from 'node:crypto';

/** As many bytes as asked for, unpredictable: fit for keys. */
export type RandomBytes = (size: number) => Buffer;

export const systemRandomBytes: RandomBytes = randomBytes;

/** Numbers from 0 up to, but not including, 1; each of 2^32 is as likely. */
export function createFractions(random: (size: number) => Uint8Array): () => number {
  return () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
}
