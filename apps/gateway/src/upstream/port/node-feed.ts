/** What a node that speaks WebSocket tells by itself: new heads and pending transactions. */

import type { JsonText } from './node-port.ts';

export type FeedKind = 'newHeads' | 'newPendingTransactions';

export type FeedListener = {
  /**
   * The `result` of one notification, valid JSON of at most some kilobytes as the node sent it: a block's header, or a transaction's hash. It is a range of the bytes that arrived, which nothing
   * writes to again: copy what outlives the call.
   */
  readonly notified: (result: JsonText) => void;
  /** The subscription has ended, and nothing more is notified: the node, its connection or its chain is gone. What happened from now on is not told; called at most once, and not after a cancel. */
  readonly lost: () => void;
};

/** What one node tells. Its word is that of this node alone: a node can skip blocks, tell them twice, or out of order. */
export type NodeFeed = {
  /**
   * Subscribes at the node, on a connection that has proved its chain. Resolves with the function that ends it, or with undefined when the node cannot be reached, is on another chain or refuses; never
   * rejects. Notifications can come before it resolves.
   */
  readonly subscribe: (kind: FeedKind, listener: FeedListener) => Promise<(() => void) | undefined>;
};
