/** The newest blocks of a network: its head, the final height, the height reported to callers, and the changes of the chain. */

import type { JsonText } from '../port/node-port.ts';

export type Block = {
  readonly number: number;
  /** `0x` and 64 lower-case digits, like `parentHash`. */
  readonly hash: string;
  readonly parentHash: string;
};

/** A block that joined the chain, with its header as the node sent it: the result of `eth_getBlockByHash` with hashes of transactions, or of a `newHeads` notification. */
export type JoinedBlock = Block & { readonly header: JsonText };

/** The newest block, and the node that reported it. */
export type HeadBlock = Block & { readonly nodeId: string };

export type ChainChange = {
  /** Blocks that left the chain, newest first. */
  readonly removed: readonly Block[];
  /** Blocks that joined the chain, oldest first. Each is the parent of the next; the first one's parent is the newest block that stayed. Empty after a rollback. */
  readonly added: readonly JoinedBlock[];
};

export type HeadsFollower = {
  /** Receives each change once, in order, without a gap. */
  readonly changed: (change: ChainChange) => void;
  /** The change is deeper than the remembered blocks, or its blocks could not be read in time. Later changes do not connect to earlier ones. */
  readonly lost: () => void;
};

export type NetworkHeads = {
  /** The newest known block, of any age; undefined before the first. */
  readonly head: () => HeadBlock | undefined;
  /** Whether a node confirmed `head` as the newest within one block time, at least 1 s. A call starts polls for a while (contract/heads#how-often-nodes-are-polled). */
  readonly isFresh: () => boolean;
  /** The height of the newest final block; undefined if it is unknown. It decreases only after a rollback below it. */
  readonly finalHeight: () => number | undefined;
  /** The hash of a block at or below the head; undefined if the block is no longer remembered. */
  readonly hashAt: (height: number) => string | undefined;
  /** The newest block that a node of the operator is known to have; undefined if unknown, and for all other nodes. */
  readonly heightOf: (nodeId: string) => number | undefined;
  /** The highest head that was reported to any caller. Callers never receive a lower one unless the chain loses it. */
  readonly reportedHeight: () => number | undefined;
  /** Records a head that a caller receives, by any method. It counts up to one block above `head`. */
  readonly noteReported: (height: number) => void;
  /** Asks the nodes for the head. Concurrent callers share one poll. Undefined if no node reports it. Never rejects. */
  readonly refresh: () => Promise<HeadBlock | undefined>;
  /** Polls until the returned function is called. Changes start after `head` if that is fresh, else after the next head. */
  readonly follow: (follower: HeadsFollower) => () => void;
  /** Like `follow`, but starts no polls, which suits a cache. The observer receives changes only while others cause polls; a long gap is reported as `lost`. */
  readonly observe: (follower: HeadsFollower) => () => void;
};
