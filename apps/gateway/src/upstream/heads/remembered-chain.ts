/** The newest blocks of a chain. Each block is the parent of the next. */

import type { TimedBlock } from './read-block.ts';

/** Deeper reorganizations are reported as `lost`. Chains with common numbers of confirmations do not have them. */
export const maxRemembered = 256;

/** Blocks from which the block time is computed. */
const timedBlocks = 32;

export type RememberedChain = {
  /** The newest block; undefined before the first. */
  readonly tip: () => TimedBlock | undefined;
  readonly at: (height: number) => TimedBlock | undefined;
  /** The height of the oldest remembered block. */
  readonly lowest: () => number;
  /** Removes the blocks above `commonHeight`, which must be remembered, and adds others. Returns the removed blocks, newest first. */
  readonly replace: (commonHeight: number, added: readonly TimedBlock[]) => readonly TimedBlock[];
  /** Adds a block below the oldest one; false if it is not the parent of that block. */
  readonly recall: (parent: TimedBlock) => boolean;
  /** The number of remembered blocks. */
  readonly size: () => number;
  /** Removes all blocks except this one. */
  readonly restart: (block: TimedBlock) => void;
  /** Milliseconds from one block to the next. Undefined while too few blocks are known, and if blocks come at irregular times. */
  readonly blockTimeMs: () => number | undefined;
};

export function createRememberedChain(): RememberedChain {
  let blocks: TimedBlock[] = [];
  let blockTimeMs: number | undefined;
  const lowest = () => blocks[0]?.number ?? 0;
  const short = ({ number, hash, parentHash, timestamp }: TimedBlock) => ({ number, hash, parentHash, timestamp });
  return {
    tip: () => blocks.at(-1),
    at: (height) => blocks[height - lowest()],
    lowest,
    replace(commonHeight, added) {
      const removed = blocks.splice(commonHeight - lowest() + 1).reverse();
      // The header is not retained: it may be long.
      for (const block of added) blocks.push(short(block));
      if (blocks.length > maxRemembered) blocks = blocks.slice(-maxRemembered);
      blockTimeMs = regularTimeMs(blocks);
      return removed;
    },
    recall(parent) {
      const [oldest] = blocks;
      if (oldest?.parentHash !== parent.hash || oldest.number !== parent.number + 1) return false;
      blocks.unshift(short(parent));
      blockTimeMs = regularTimeMs(blocks);
      return true;
    },
    size: () => blocks.length,
    restart(block) {
      blocks = [short(block)];
    },
    blockTimeMs: () => blockTimeMs,
  };
}

function regularTimeMs(blocks: readonly TimedBlock[]): number | undefined {
  const newest = blocks.slice(-timedBlocks);
  const [first, last] = [newest[0], newest.at(-1)];
  if (first === undefined || last === undefined || newest.length < 4) return undefined;
  const meanS = (last.timestamp - first.timestamp) / (newest.length - 1);
  let maxS = 0;
  for (let at = 1; at < newest.length; at++)
    maxS = Math.max(maxS, (newest[at]?.timestamp ?? 0) - (newest[at - 1]?.timestamp ?? 0));
  // Slots may be empty, and timestamps are whole seconds.
  return meanS > 0 && maxS <= 3 * meanS + 2 ? meanS * 1000 : undefined;
}
