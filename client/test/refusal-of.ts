/** The error that a call of the client is expected to end with. */

import { FlowgateError } from '../src/flowgate-error.ts';

/** Fails when the call succeeds, or ends with anything but a `FlowgateError`. */
export async function refusalOf(call: Promise<unknown>): Promise<FlowgateError> {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (outcome instanceof FlowgateError) return outcome;
  throw new Error('the call was not refused', { cause: outcome });
}
