/** Sends a call whose answer has one known form. */

import { unreadable } from './read-answer.ts';
import type { Call, Send } from './transport.ts';

/** The answer's body. Throws as `Send` does, and `FlowgateError` of kind `unreadable` when the body has another form. */
export async function askFor<T>(send: Send, isExpected: (value: unknown) => value is T, call: Call): Promise<T> {
  const { body, facts } = await send(call);
  if (!isExpected(body)) throw unreadable(facts);
  return body;
}
