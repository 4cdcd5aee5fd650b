/** One way to one node: the port that transports implement and pools ask through. */

import type { Http1Reply } from '../platform/http1-reply.ts';

/**
 * One node that can be asked. The reply is the transport's own, unmapped: `ok` with whatever HTTP status and text the node
 * answered, else the failure and whether the node may have seen the request, which alone decides if a transaction may be
 * offered to another node. A transport without statuses (a multiplexed WebSocket) answers 200.
 */
export type NodeTransport = {
  readonly nodeId: string;
  /**
   * `body` is one JSON-RPC message or batch. Answers exactly once, never throws, never sends twice. With an `owner`, the user whose call
   * it is, a large answer is counted for it and comes as `held` bytes, which whoever gets the reply has to release.
   */
  readonly send: (body: string, owner?: string) => Promise<Http1Reply>;
};
