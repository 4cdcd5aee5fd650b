/** Reads the blocks between a new head and the remembered chain, by their parent hashes. */

import { askByHash, askByHeight, type HeadNode } from './head-node.ts';
import type { ReadBlock } from './read-block.ts';
import type { RememberedChain } from './remembered-chain.ts';

/** `commonHeight`: the height of the newest block that both chains have. `added`: the blocks above it, oldest first. */
export type Branch = { readonly commonHeight: number; readonly added: readonly ReadBlock[] };

export type BranchTerms = {
  readonly maxBlocks: number;
  /** The maximum total size of their headers. */
  readonly maxBytes: number;
  /** Timeout of one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether the deadline of the whole operation allows another request. */
  readonly isInTime: () => boolean;
};

/** Concurrent requests. */
const atOnce = 8;

/** `disconnected`: the branch does not connect to a remembered block within the bounds. `failed`: the node did not return the blocks. */
export async function readBranch(
  node: HeadNode,
  chain: RememberedChain,
  head: ReadBlock,
  terms: BranchTerms,
): Promise<Branch | 'disconnected' | 'failed'> {
  const tip = chain.tip();
  if (tip === undefined || head.number - tip.number > terms.maxBlocks) return 'disconnected';
  const between = await readBetween(node, tip.number, head, terms);
  if (between === undefined) return 'failed';
  /** Newest first. */
  const found: ReadBlock[] = [head];
  let bytes = head.header.length;
  for (let oldest = head; ; ) {
    const below = oldest.number - 1;
    if (chain.at(below)?.hash === oldest.parentHash) return { commonHeight: below, added: found.reverse() };
    if (below < chain.lowest() || found.length >= terms.maxBlocks || bytes > terms.maxBytes) return 'disconnected';
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

/** Reads the blocks in between by height, several at once. The caller verifies the parent hashes. Undefined if the node does not return a block. */
async function readBetween(
  node: HeadNode,
  tip: number,
  head: ReadBlock,
  { timeoutMs, isInTime, maxBytes }: BranchTerms,
): Promise<ReadonlyMap<number, ReadBlock> | undefined> {
  const found = new Map<number, ReadBlock>();
  let bytes = 0;
  // A single block is read by its hash.
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

/** Reads blocks below the remembered ones until `count` are remembered, because a reorganization can reach below the first head. */
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
