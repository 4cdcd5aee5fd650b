/** Randomness is an argument everywhere; only this file gets it from the machine. */

import { randomBytes } from 'node:crypto';

/** As many bytes as requested, unpredictable: fit for keys. */
export type RandomBytes = (size: number) => Buffer;

export const systemRandomBytes: RandomBytes = randomBytes;

/** A name that no other process uses. */
export function randomName(random: RandomBytes): string {
  return random(16).toString('hex');
}

/** Numbers from 0 up to, but not including, 1; each of 2^32 values is equally likely. */
export function createFractions(random: RandomBytes): () => number {
  return () => random(4).readUInt32BE() / 2 ** 32;
}

/**
 * Like `createFractions`, at a few nanoseconds each, for choices where prediction gains nothing: xorshift32 (Marsaglia
 * 2003) from an unpredictable start.
 */
export function createQuickFractions(random: RandomBytes): () => number {
  let state = random(4).readUInt32BE() || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
