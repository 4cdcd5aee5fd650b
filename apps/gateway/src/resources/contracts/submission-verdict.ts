/** Whether a node has refused a transaction, or may have it: from what became of the call that submitted it. */

import { isJsonObject } from '@flowgate/json/json-object';
import type { BatchAnswer, JsonText, NodeAnswer, NodeReply } from '../../upstream/port/node-port.ts';

/** `kept`: accepted, or it cannot be known. Then the record stays, and the chain tells. */
export type SubmissionVerdict = 'refused' | 'kept';

/** JSON-RPC's own codes for a request that was not executed: parse error, invalid request, no such method, invalid params. */
const notExecuted: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602]);
/** An internal error may come after the transaction was taken. 4 to 6: eth_sendRawTransactionSync has it in its pool, but has no receipt in time (EIP-7966). */
const unclear: ReadonlySet<number> = new Set([-32603, 4, 5, 6]);
/** The node, or one behind it, has the transaction already; or something failed on the way, perhaps after it had arrived. */
const mayHaveIt =
  /already|\bknown\b|duplicate|time[d ]*-?out|deadline|internal|unavailable|upstream|gateway|try again|retry|connection|overload|busy|temporar|\beof\b/i;

export function verdictOnCall(reply: NodeReply<NodeAnswer>): SubmissionVerdict {
  if (!reply.ok) return reply.mayHaveArrived ? 'kept' : 'refused';
  return reply.answer.kind === 'error' ? verdictOnError(reply.answer.raw) : 'kept';
}

/** For the call at place `nth` of a batch. */
export function verdictOnElement(reply: NodeReply<BatchAnswer>, nth: number): SubmissionVerdict {
  if (!reply.ok) return reply.mayHaveArrived ? 'kept' : 'refused';
  if (reply.answer.kind === 'error') return verdictOnError(reply.answer.raw);
  const answer = reply.answer.answers[nth];
  if (answer?.kind === 'failed') return answer.mayHaveArrived ? 'kept' : 'refused';
  return answer?.kind === 'error' ? verdictOnError(answer.raw) : 'kept';
}

function verdictOnError(raw: JsonText): SubmissionVerdict {
  const error: unknown = JSON.parse(raw.text());
  if (!isJsonObject(error)) return 'kept';
  const { code, message } = error;
  if (typeof code === 'number' && notExecuted.has(code)) return 'refused';
  if (typeof code === 'number' && unclear.has(code)) return 'kept';
  return typeof message === 'string' && mayHaveIt.test(message) ? 'kept' : 'refused';
}
