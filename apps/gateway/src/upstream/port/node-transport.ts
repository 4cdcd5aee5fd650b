/** The interface of a transport: the connection to one node, which pools use. */

import type { NodeFailure, NodeFault } from './node-faults.ts';
import type { BatchAnswer, NodeAnswer, NodeBatch, NodeCall, NodeError } from './node-port.ts';

/** A try without an answer: besides what every port reports, the facts that a pool decides by. */
export type FailedTry = {
  readonly ok: false;
  readonly fault: NodeFault;
  readonly failure: NodeFailure;
  /** Whether any byte of the call may have been sent. */
  readonly maybeDelivered: boolean;
  /** For logs: contains no URL, no header, no secret and nothing of an answer. */
  readonly detail: string;
  /** Milliseconds for which the node asked not to be called. */
  readonly retryAfterMs?: number | undefined;
  /** With `refused`: the node's JSON-RPC error. */
  readonly refusal?: NodeError | undefined;
  /** With `wrong-chain`: the other chain's identity, as the family reads it. */
  readonly foundChain?: string | undefined;
};

export type TryReply<Answer> = { readonly ok: true; readonly nodeId: string; readonly answer: Answer } | FailedTry;

/** The node has proved its chain. `latencyMs`: for the question for the head; `blockHeight` is undefined when that was not answered. */
export type ProbeReply =
  | { readonly ok: true; readonly latencyMs: number; readonly blockHeight: number | undefined }
  | FailedTry;

/**
 * The transport to one node: a port whose failures say more. Besides the guarantees of every port, it never sends a call twice that is not repeatable, and sends only on a connection that has
 * proved its chain; calls get ids of its own; an answer to a question that was not asked closes every connection that it may have come on.
 */
export type NodeTransport = {
  readonly nodeId: string;
  readonly send: (call: NodeCall) => Promise<TryReply<NodeAnswer>>;
  readonly sendBatch: (batch: NodeBatch) => Promise<TryReply<BatchAnswer>>;
  /** Asks for the chain and its head on a new connection of its own, whatever waits and however many are busy. */
  readonly probe: () => Promise<ProbeReply>;
  /** Returns the waiting calls that can use another node; with `drop` no connection that is open now carries another call. */
  readonly release: (drop: boolean) => void;
};
