/** Finds out whether a chain still has the blocks that were read, and up to which block (docs/decisions/0104). */

import { readHeader } from '@flowgate/chain/blocks/block-header';
import type { ChainNode } from '../chain/chain-node.ts';
import type { ReadBlock } from './index-store.ts';
import { headerQuestion } from './read-range.ts';

/** `absent`: the node's chain is shorter. */
export type BlockVerdict = 'same' | 'other' | 'absent' | 'away';

export async function evaluateBlock(node: ChainNode, { number, hash }: ReadBlock): Promise<BlockVerdict> {
  return (await evaluateBlocks(node, [{ number, hash }]))[0] ?? 'away';
}

async function evaluateBlocks(node: ChainNode, blocks: readonly ReadBlock[]): Promise<readonly BlockVerdict[]> {
  const says = await node.ask(blocks.map(({ number }) => headerQuestion(number)));
  return blocks.map(({ number, hash }, at) => {
    const said = says[at];
    if (said?.kind === 'absent' || (said?.kind === 'result' && said.value === null)) return 'absent';
    const header = said?.kind === 'result' ? readHeader(said.value) : undefined;
    if (header?.number !== number) return 'away';
    return header.hash === hash ? 'same' : 'other';
  });
}

const atOnce = 50;

/** The newest of the blocks, newest first, that the node's chain has; `none`: it has none of them. Undefined when the node does not answer. */
export async function findAncestor(
  node: ChainNode,
  blocks: readonly ReadBlock[],
): Promise<ReadBlock | 'none' | undefined> {
  for (let at = 0; at < blocks.length; at += atOnce) {
    const asked = blocks.slice(at, at + atOnce);
    const verdicts = await evaluateBlocks(node, asked);
    for (const [place, verdict] of verdicts.entries()) {
      if (verdict === 'away') return undefined;
      const block = asked[place];
      if (verdict === 'same' && block !== undefined) return block;
    }
  }
  return 'none';
}
