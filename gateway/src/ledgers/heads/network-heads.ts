/** What a gateway knows of a network's newest blocks: the head, what is final, what callers were told, and how the chain changes. */

import type { JsonText } from '../node-port.ts';

export type Block = {
  readonly number: number;
  /** `0x` and 64 lower-case digits, as `parentHash`. */
  readonly hash: string;
  readonly parentHash: string;
};

/** A block that joined the chain, with its header as the node told it: the result of `eth_getBlockByHash` with hashes of transactions, or of a `newHeads` notification. */
export type JoinedBlock = Block & { readonly header: JsonText };

export type ChainChange = {
  /** Blocks that are no longer part of the chain, the newest first. */
  readonly removed: readonly Block[];
  /** Blocks that are now, the oldest first; each is the parent of the next, and the first follows the newest block that stayed. */
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
  readonly head: () => Block | undefined;
  /** Whether `head` was seen to be the newest within the time of a block, or 1 s where that is longer. */
  readonly isFresh: () => boolean;
  /** The height of the newest block that cannot be lost any more; undefined when it is unknown. */
  readonly finalHeight: () => number | undefined;
  /** Of a block at or below the head, as far back as is remembered. */
  readonly hashAt: (height: number) => string | undefined;
  /** The highest head that any caller was told: none is told a lower one unless the chain loses it. */
  readonly toldHeight: () => number | undefined;
  /** Notes a head that a caller is told, by whatever method. */
  readonly noteTold: (height: number) => void;
  /** Learns the head now; callers that ask at the same time share the question. Undefined when no node tells it. Never rejects. */
  readonly refresh: () => Promise<Block | undefined>;
  /** Keeps the head fresh while anybody follows. Returns the function that ends it. */
  readonly follow: (follower: HeadsFollower) => () => void;
};
