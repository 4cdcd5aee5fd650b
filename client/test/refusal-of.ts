/** The error with which a call of the client is expected to fail. */

import { FlowgateError } from '../src/flowgate-error.ts';

/** Fails when the call succeeds, or rejects with another error than a `FlowgateError`. */
export async function refusalOf(call: Promise<unknown>): Promise<FlowgateError> {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (outcome instanceof FlowgateError) return outcome;
  throw new Error('the call was not refused', { cause: outcome });
}
