/** Classifies the JSON-RPC errors that nodes return for a submitted transaction (contract/transactions#errors). */

import type { ErrorFault } from '../../../upstream/port/node-faults.ts';
import type { JsonText } from '../../../upstream/port/node-port.ts';
import { errorFacts, errorFault } from '../../../upstream/response/error-faults.ts';
import type { SubmissionVerdict } from './transaction-kind.ts';

/** Parts of error messages, in lower case. */
export type SubmissionPhrases = { readonly known: readonly string[]; readonly invalid: readonly string[] };

/** JSON-RPC codes for a request that the node did not execute: parse error, invalid request, invalid params. */
const wrongRequest: ReadonlySet<number> = new Set([-32700, -32600, -32602]);
/** The node's transaction pool is full. The pool of another node may have space. */
const noRoom: readonly string[] = [
  'pool is full',
  'mempool full',
  'pool limit',
  'pool reached',
  'queue is full',
  'queue full',
  'pool overflow',
];

/** The verdict for each fault of a node: whether it may have accepted the transaction before it failed. */
const verdictOf: Readonly<Record<ErrorFault, SubmissionVerdict>> = {
  limited: 'not-taken',
  unready: 'not-taken',
  'too-much': 'not-taken',
  'no-state': 'not-taken',
  'unknown-block': 'not-taken',
  'no-method': 'not-taken',
  internal: 'unclear',
};

/**
 * `namesOther`: whether a message (in lower case) names a different transaction. Such a message does not mean that this
 * transaction is known.
 */
export function submissionVerdict(
  error: JsonText,
  { known, invalid }: SubmissionPhrases,
  namesOther: (message: string) => boolean,
): SubmissionVerdict {
  const facts = errorFacts(error);
  if (facts === undefined) return 'refused';
  const { code, message } = facts;
  const says = (phrases: readonly string[]) => phrases.some((phrase) => message.includes(phrase));
  // The node may execute a contract before it accepts the transaction, and the contract chooses the text after
  // "revert".
  if (message.includes('revert')) return 'refused';
  if (says(known)) return namesOther(message) ? 'refused' : 'known';
  if (says(invalid)) return 'invalid';
  if (says(noRoom)) return 'not-taken';
  const fault = errorFault(error);
  if (fault !== undefined) return verdictOf[fault];
  return wrongRequest.has(code) ? 'invalid' : 'refused';
}
