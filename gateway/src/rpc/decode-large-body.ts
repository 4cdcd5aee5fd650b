/** Decodes a large body in slices of time, so that no caller's body holds up the calls of others (docs/decisions/0085). */

import { maxMembers } from '../platform/json/json-members.ts';
import { withKnownEnds } from '../platform/json/json-scan.ts';
import { largeValuesOf } from '../platform/json/large-values.ts';
import { runInSlices, type TimeSlices } from '../platform/time-slices.ts';
import { type DecodedBody, decodeBody } from './message.ts';

/** Up to this length a body is decoded at once: that takes two milliseconds at most. */
export const largeBodyBytes = 131_072;

/** The same as `decodeBody`, whatever the body. The bytes must not change meanwhile. */
export async function decodeLargeBody(
  bytes: Uint8Array,
  maxBatch: number,
  takesVersion1: boolean | undefined,
  slices: TimeSlices,
): Promise<DecodedBody> {
  // What is beyond those is not read by `decodeBody` either.
  const mostValues = Math.max(maxBatch, maxMembers) + 1;
  const ends = await runInSlices(slices, largeValuesOf(bytes, mostValues));
  return withKnownEnds(ends, () => decodeBody(bytes, maxBatch, takesVersion1));
}
