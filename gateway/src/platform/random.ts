/** Randomness comes in as an argument everywhere; this file is the one place that asks the machine for it. */

import { randomBytes } from 'node:crypto';

/** As many bytes as asked for, unpredictable: fit for keys. */
export type RandomBytes = (size: number) => Buffer;

export const systemRandomBytes: RandomBytes = randomBytes;

/** A name that no other process gives anything. */
export function randomName(random: RandomBytes): string {
  return random(16).toString('hex');
}

/** Numbers from 0 up to, but not including, 1; each of 2^32 is as likely. */
export function createFractions(random: RandomBytes): () => number {
  return () => random(4).readUInt32BE() / 2 ** 32;
}
