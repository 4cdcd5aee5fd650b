/** The interface of a transport to one node, for pools. */

import type { NodeFailure, NodeFault } from './node-faults.ts';
import type { BatchAnswer, NodeAnswer, NodeBatch, NodeCall, NodeError } from './node-port.ts';

/** A try without an answer: the failure of the port, and the facts from which a pool decides. */
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

/** The result of a health check of the node's chain. `latencyMs` is that of the request for the head; `blockHeight` is undefined if that was not answered. */
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
  /** Requests chain and head on a new connection, regardless of waiting calls and busy connections. */
  readonly probe: () => Promise<ProbeReply>;
  /** Returns waiting calls that can use another node. With `drop`, connections that are open now carry no further call. */
  readonly release: (drop: boolean) => void;
};
