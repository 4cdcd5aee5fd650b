/**
 * How the signed transactions of a ledger family are identified, looked up and refused. The gateway uses this to send a
 * transaction at most once to each node, and never to report a transaction as lost that a node has.
 */

import type { JsonText } from '../../../upstream/port/node-port.ts';

/**
 * The meaning of a node's JSON-RPC error for a submitted transaction. `known`: the node already has the transaction.
 * `invalid`: no node can ever accept it. `refused`: the node does not accept it in its present state. `not-taken`: the
 * node failed before it examined the transaction. `unclear`: the node failed and may have accepted it.
 */
export type SubmissionVerdict = 'known' | 'invalid' | 'refused' | 'not-taken' | 'unclear';

export type SignedTransaction = {
  /**
   * The transaction's identifier in this family: a hash or a signature. Computed on the first call, which may take
   * milliseconds.
   */
  readonly id: () => string;
  readonly verdict: (error: JsonText) => SubmissionVerdict;
};

export type TransactionKind = {
  /** The method that submits a transaction. Its result is the transaction's id. */
  readonly method: string;
  /** Undefined when `params` contains no readable transaction. Takes time linear in their length. */
  readonly read: (params: JsonText) => SignedTransaction | undefined;
  /** Whether the result of `method` is this id. */
  readonly isId: (result: JsonText, id: string) => boolean;
  /** The call that asks a node for the transaction. Its method is a read. */
  readonly lookUp: (id: string) => { readonly method: string; readonly params: JsonText };
  /** Whether the result of `lookUp` shows that the node has the transaction. */
  readonly isFound: (result: JsonText, id: string) => boolean;
};
