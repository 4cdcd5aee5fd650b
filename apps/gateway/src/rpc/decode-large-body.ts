/** Decodes a large body in slices of time, so that no caller's body holds up the calls of others (docs/decisions/0134). */

import { runInSlices, type TimeSlices } from '@flowgate/async/time-slices';
import { maxMembers } from '@flowgate/json/json-members';
import { largeValuesOf } from '@flowgate/json/large-values';
import { type DecodedBody, decodeBody } from './message.ts';

/** Up to this length a body is decoded at once: that takes two milliseconds at most. */
export const largeBodyBytes = 131_072;

/** Returns the same as `decodeBody` for every body. The bytes must not change meanwhile. */
export async function decodeLargeBody(
  bytes: Uint8Array,
  maxBatch: number,
  takesVersion1: boolean | undefined,
  slices: TimeSlices,
): Promise<DecodedBody> {
  // What is beyond those is not read by `decodeBody` either.
  const maxValues = Math.max(maxBatch, maxMembers) + 1;
  const ends = await runInSlices(slices, largeValuesOf(bytes, maxValues));
  return decodeBody(bytes, maxBatch, takesVersion1, ends);
}
