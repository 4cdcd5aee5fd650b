/** The newest blocks of a chain as far as they are remembered: each is the parent of the next. */

import type { TimedBlock } from './read-block.ts';

/** Deeper reorganisations are not followed block by block: no chain that is final after as many blocks as usual has them. */
export const maxRemembered = 256;

/** Blocks whose times tell the chain's block time. */
const timedBlocks = 32;

export type RememberedChain = {
  /** The newest block; undefined before the first. */
  readonly tip: () => TimedBlock | undefined;
  readonly at: (height: number) => TimedBlock | undefined;
  /** The height of the oldest block that is remembered. */
  readonly lowest: () => number;
  /** Keeps the blocks up to `keptTo`, which is remembered, and adds others on top. Returns those that were removed, the newest first. */
  readonly replace: (keptTo: number, added: readonly TimedBlock[]) => readonly TimedBlock[];
  /** Adds the parent of the oldest block; false when it is another block. */
  readonly recall: (parent: TimedBlock) => boolean;
  /** How many are remembered. */
  readonly size: () => number;
  /** Forgets everything but this block. */
  readonly restart: (block: TimedBlock) => void;
  /** Milliseconds from one block to the next. Undefined while too few are known, and of a chain whose blocks come at irregular times. */
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
    replace(keptTo, added) {
      const removed = blocks.splice(keptTo - lowest() + 1).reverse();
      // Without the header, which may be long.
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
  let longestS = 0;
  for (let at = 1; at < newest.length; at++)
    longestS = Math.max(longestS, (newest[at]?.timestamp ?? 0) - (newest[at - 1]?.timestamp ?? 0));
  // A slot or two may stay empty, and times are whole seconds.
  return meanS > 0 && longestS <= 3 * meanS + 2 ? meanS * 1000 : undefined;
}
