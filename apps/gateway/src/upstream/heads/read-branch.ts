/** Finds how a block connects to the chain that is remembered: the blocks in between, by their parents' hashes. */

import { askByHash, askByHeight, type HeadNode } from './head-node.ts';
import type { ReadBlock } from './read-block.ts';
import type { RememberedChain } from './remembered-chain.ts';

/** `keptTo`: the height of the newest block that both chains have. `added` follow it, the oldest first. */
export type Branch = { readonly keptTo: number; readonly added: readonly ReadBlock[] };

export type BranchTerms = {
  /** The most blocks that are added. */
  readonly maxBlocks: number;
  /** The most bytes of their headers. */
  readonly maxBytes: number;
  /** Milliseconds for one question. */
  readonly timeoutMs: number;
  /** Whether there is time for another question. */
  readonly isInTime: () => boolean;
};

/** Questions at once. */
const atOnce = 8;

/** `apart`: it does not connect within what is remembered. `failed`: the node did not tell the blocks. */
export async function readBranch(
  node: HeadNode,
  chain: RememberedChain,
  head: ReadBlock,
  terms: BranchTerms,
): Promise<Branch | 'apart' | 'failed'> {
  const tip = chain.tip();
  if (tip === undefined || head.number - tip.number > terms.maxBlocks) return 'apart';
  const between = await readBetween(node, tip.number, head, terms);
  if (between === undefined) return 'failed';
  /** The newest first. */
  const found: ReadBlock[] = [head];
  let bytes = head.header.length;
  for (let oldest = head; ; ) {
    const below = oldest.number - 1;
    if (chain.at(below)?.hash === oldest.parentHash) return { keptTo: below, added: found.reverse() };
    if (below < chain.lowest() || found.length >= terms.maxBlocks || bytes > terms.maxBytes) return 'apart';
    const known = between.get(below);
    const parent =
      known?.hash === oldest.parentHash
        ? known
        : terms.isInTime() && (await askByHash(node, oldest.parentHash, terms.timeoutMs));
    if (parent === false || typeof parent === 'string' || parent.number !== below) return 'failed';
    found.push(parent);
    bytes += parent.header.length;
    oldest = parent;
  }
}

/** The blocks between, by height, some at once: whether they are parents of each other is for the caller to see. Undefined when the node does not tell them. */
async function readBetween(
  node: HeadNode,
  tip: number,
  head: ReadBlock,
  { timeoutMs, isInTime, maxBytes }: BranchTerms,
): Promise<ReadonlyMap<number, ReadBlock> | undefined> {
  const found = new Map<number, ReadBlock>();
  let bytes = 0;
  // A single one is asked for by its hash.
  if (head.number - tip <= 2) return found;
  for (let from = tip + 1; from < head.number; from += atOnce) {
    if (!isInTime() || bytes > maxBytes) return undefined;
    const heights = Array.from({ length: Math.min(atOnce, head.number - from) }, (_, nth) => from + nth);
    const blocks = await Promise.all(heights.map((height) => askByHeight(node, height, timeoutMs)));
    for (const block of blocks) {
      if (typeof block === 'string') return undefined;
      found.set(block.number, block);
      bytes += block.header.length;
    }
  }
  return found;
}

/** Recalls blocks below those that are remembered, until there are `count`: a reorganisation can reach below the first head that was seen. */
export async function recallBlocks(
  node: HeadNode,
  chain: RememberedChain,
  count: number,
  { timeoutMs, isInTime }: Pick<BranchTerms, 'timeoutMs' | 'isInTime'>,
): Promise<void> {
  while (chain.size() < count && chain.lowest() > 0 && isInTime()) {
    const below = Math.min(atOnce, count - chain.size(), chain.lowest());
    const heights = Array.from({ length: below }, (_, nth) => chain.lowest() - 1 - nth);
    const blocks = await Promise.all(heights.map((height) => askByHeight(node, height, timeoutMs)));
    for (const block of blocks) if (typeof block === 'string' || !chain.recall(block)) return;
  }
}
