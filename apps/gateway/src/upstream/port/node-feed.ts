/** Subscriptions of the gateway at a node with a WebSocket: new heads and pending transactions. */

import type { JsonText } from './node-port.ts';

export type FeedKind = 'newHeads' | 'newPendingTransactions';

export type FeedListener = {
  /** Receives the `result` of one notification: a block's header or a transaction's hash, as valid JSON of at most some kilobytes. It is a range of the received bytes, which are not overwritten; a copy is needed to retain it. */
  readonly notified: (result: JsonText) => void;
  /** Called at most once, when the subscription has ended because the node, its connection or its chain is gone. Not called after a cancel. Later events are not reported. */
  readonly lost: () => void;
};

/** The subscriptions of one node. A node can skip blocks, and report them twice or out of order. */
export type NodeFeed = {
  /** Subscribes on a connection that has proved its chain. Resolves with the function that ends the subscription; with undefined if the node is unreachable, on another chain or refuses. Never rejects. Notifications may arrive before it resolves. */
  readonly subscribe: (kind: FeedKind, listener: FeedListener) => Promise<(() => void) | undefined>;
};
