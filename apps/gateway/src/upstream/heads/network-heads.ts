/** What a gateway knows of a network's newest blocks: the head, what is final, what callers were told, and how the chain changes. */

import type { JsonText } from '../port/node-port.ts';

export type Block = {
  readonly number: number;
  /** `0x` and 64 lower-case digits, as `parentHash`. */
  readonly hash: string;
  readonly parentHash: string;
};

/** A block that joined the chain, with its header as the node told it: the result of `eth_getBlockByHash` with hashes of transactions, or of a `newHeads` notification. */
export type JoinedBlock = Block & { readonly header: JsonText };

/** The newest block, and the node that told it. */
export type HeadBlock = Block & { readonly nodeId: string };

export type ChainChange = {
  /** Blocks that are no longer part of the chain, the newest first. */
  readonly removed: readonly Block[];
  /** Blocks that are now, the oldest first; each is the parent of the next, and the first follows the newest block that stayed. Empty when the chain went back. */
  readonly added: readonly JoinedBlock[];
};

export type HeadsFollower = {
  /** Each change once, in order, without a gap. */
  readonly changed: (change: ChainChange) => void;
  /** The chain changed more deeply than what is remembered, or its blocks could not be read in time: what follows does not connect to what was told. */
  readonly lost: () => void;
};

export type NetworkHeads = {
  /** The newest block that is known, however old; undefined before the first. */
  readonly head: () => HeadBlock | undefined;
  /** Whether `head` was seen to be the newest within the time of a block, or 1 s where that is longer. Who asks keeps the head fresh for a while (contract/heads#how-often-nodes-are-polled). */
  readonly isFresh: () => boolean;
  /** The height of the newest block that cannot be lost any more; undefined when it is unknown. It goes back only when the chain is lost altogether. */
  readonly finalHeight: () => number | undefined;
  /** Of a block at or below the head, as far back as is remembered. */
  readonly hashAt: (height: number) => string | undefined;
  /** The newest block that a node of the operator is known to have; undefined when it is unknown, and for every other node. */
  readonly heightOf: (nodeId: string) => number | undefined;
  /** The highest head that any caller was told: none is told a lower one unless the chain loses it. */
  readonly reportedHeight: () => number | undefined;
  /** Notes a head that a caller is told, by whatever method. At most one block beyond `head` counts. */
  readonly noteReported: (height: number) => void;
  /** Learns the head now; callers that ask at the same time share the question. Undefined when no node tells it. Never rejects. */
  readonly refresh: () => Promise<HeadBlock | undefined>;
  /** Keeps the head fresh while anybody follows. What follows begins with `head` when that is fresh, else with the first head that is seen. Returns the function that ends it. */
  readonly follow: (follower: HeadsFollower) => () => void;
  /** The same for who need not be told at once, such as a cache: changes are told when somebody else lets them be seen, and a long time in which no one did is `lost`. */
  readonly observe: (follower: HeadsFollower) => () => void;
};
