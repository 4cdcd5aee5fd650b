/** One way to one node: the port that transports implement and pools ask through. */

import type { Http1Call } from '../platform/http1/http1-call.ts';
import type { Http1Reply } from '../platform/http1/http1-reply.ts';

/**
 * One node that can be asked. The reply is the transport's own, unmapped: `ok` with whatever HTTP status and text the node
 * answered, else the failure and whether the node may have seen the request, which alone decides if a transaction may be
 * offered to another node. A transport without statuses (a multiplexed WebSocket) answers 200.
 */
export type NodeTransport = {
  readonly nodeId: string;
  /**
   * `body` is one JSON-RPC message or batch. Answers exactly once, never throws, never sends twice, and only on a connection that has
   * proved its chain. With an `owner` a large answer is counted for it and comes as `held` bytes, which whoever gets the reply has to release.
   */
  readonly send: (body: string, call: Http1Call) => Promise<Http1Reply>;
  /** Asks for the chain id on a new connection of its own, whatever waits and however many are busy. */
  readonly probe: () => Promise<Http1Reply>;
  /** Sends away the waiting calls that can go elsewhere; with `drop` no connection that is open now carries another call. */
  readonly release: (drop: boolean) => void;
};
