/** The interface of a transport: one way to one node, through which pools ask. */

import type { NodeFailure, NodeFault } from './node-faults.ts';
import type { BatchAnswer, NodeAnswer, NodeBatch, NodeCall, NodeError } from './node-port.ts';

/** A try without an answer: besides what every port tells, what a pool decides by. */
export type FailedTry = {
  readonly ok: false;
  readonly fault: NodeFault;
  readonly failure: NodeFailure;
  /** Whether any byte of the call may have been sent. */
  readonly mayHaveArrived: boolean;
  /** For logs: contains no URL, no header, no secret and nothing of an answer. */
  readonly detail: string;
  /** How long the node asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
  /** With `refused`: the node's JSON-RPC error. */
  readonly refusal?: NodeError | undefined;
  /** With `wrong-chain`: the other chain's id, a decimal number. */
  readonly foundChain?: string | undefined;
};

export type TryReply<Answer> = { readonly ok: true; readonly nodeId: string; readonly answer: Answer } | FailedTry;

/**
 * One node that can be asked: a port whose failures tell more. Besides what holds for every port, it never sends twice, and only on a connection that has proved its
 * chain; calls have ids of its own; and an answer to a question that was not asked ends the connections that it may have come on.
 */
export type NodeTransport = {
  readonly nodeId: string;
  readonly send: (call: NodeCall) => Promise<TryReply<NodeAnswer>>;
  readonly sendBatch: (batch: NodeBatch) => Promise<TryReply<BatchAnswer>>;
  /** Asks for the chain id on a new connection of its own, whatever waits and however many are busy. Undefined when it is the right one. */
  readonly probe: () => Promise<FailedTry | undefined>;
  /** Sends back the waiting calls that can go elsewhere; with `drop` no connection that is open now carries another call. */
  readonly release: (drop: boolean) => void;
};
