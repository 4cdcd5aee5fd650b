/** How a range of blocks is cut into pieces. */

import { type BlockRange, blocksOf } from './log-query.ts';

/**
 * In ascending order, each of `blocks` blocks but the first, which has the rest: the newest blocks, which a reorganization may still replace, are in one piece, and so in one answer.
 */
export function piecesOf({ from, to }: BlockRange, blocks: number): readonly BlockRange[] {
  const pieces: BlockRange[] = [];
  for (let end = to; end >= from; end -= blocks) pieces.push({ from: Math.max(from, end - blocks + 1), to: end });
  return pieces.reverse();
}

/** The size of the pieces of a refused piece, in blocks: as the node's error says, or half. Undefined for a single block. */
export function smallerPiece(piece: BlockRange, hint: number | undefined): number | undefined {
  const blocks = blocksOf(piece);
  if (blocks < 2) return undefined;
  return hint !== undefined && hint < blocks ? hint : Math.ceil(blocks / 2);
}
