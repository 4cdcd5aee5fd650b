/** Decodes a large body in time slices, so that no caller's body delays the calls of others (docs/decisions/0134). */

import { runInSlices, type TimeSlices } from '@flowgate/async/time-slices';
import { maxMembers } from '@flowgate/json/json-members';
import { largeValuesOf } from '@flowgate/json/large-values';
import { type DecodedBody, decodeBody } from './message.ts';

/** Bodies up to this length are decoded at once, which takes at most two milliseconds. */
export const largeBodyBytes = 131_072;

/** Returns the same as `decodeBody` for every body. The bytes must not change until then. */
export async function decodeLargeBody(
  bytes: Uint8Array,
  maxBatch: number,
  takesVersion1: boolean | undefined,
  slices: TimeSlices,
): Promise<DecodedBody> {
  // `decodeBody` does not read beyond these values either.
  const maxValues = Math.max(maxBatch, maxMembers) + 1;
  const ends = await runInSlices(slices, largeValuesOf(bytes, maxValues));
  return decodeBody(bytes, maxBatch, takesVersion1, ends);
}
