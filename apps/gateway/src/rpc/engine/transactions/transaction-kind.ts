/** How a ledger family's signed transactions are identified, found and refused. With this the gateway sends no transaction twice to a node, and reports none as lost that a node has. */

import type { JsonText } from '../../../upstream/port/node-port.ts';

/**
 * What a node's JSON-RPC error says about a transaction that it was sent. `known`: it has it already. `invalid`: no node can ever take it. `refused`: it does not take it in its present state. `not-taken`: trouble of
 * the node, before the transaction was looked at. `unclear`: trouble of the node, perhaps after it took it.
 */
export type SubmissionVerdict = 'known' | 'invalid' | 'refused' | 'not-taken' | 'unclear';

export type SignedTransaction = {
  /** What the family calls it by: a hash, a signature. Computed when it is asked for, which may take milliseconds. */
  readonly id: () => string;
  readonly verdict: (error: JsonText) => SubmissionVerdict;
};

export type TransactionKind = {
  /** The method that submits one, whose result is the transaction's id. */
  readonly method: string;
  /** Undefined for `params` in which there is no transaction that can be read. Takes time in proportion to their length. */
  readonly read: (params: JsonText) => SignedTransaction | undefined;
  /** Whether the result of `method` is this transaction's id. */
  readonly isId: (result: JsonText, id: string) => boolean;
  /** The question whether a node has it: any method that is a read. */
  readonly lookUp: (id: string) => { readonly method: string; readonly params: JsonText };
  /** Whether the result of `lookUp` says so. */
  readonly isFound: (result: JsonText, id: string) => boolean;
};
