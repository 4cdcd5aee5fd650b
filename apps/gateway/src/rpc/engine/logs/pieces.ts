/** Cuts a range of blocks into pieces. */

import { type BlockRange, blocksOf } from './log-query.ts';

/**
 * In ascending order. Each piece has `blocks` blocks; only the first one may have fewer. The newest blocks, which a reorganization may still replace, are
 * thereby in one piece and in one answer.
 */
export function piecesOf({ from, to }: BlockRange, blocks: number): readonly BlockRange[] {
  const pieces: BlockRange[] = [];
  for (let end = to; end >= from; end -= blocks) pieces.push({ from: Math.max(from, end - blocks + 1), to: end });
  return pieces.reverse();
}

/** The size, in blocks, of the pieces of a refused piece: from the node's error, or half. Undefined for a single block. */
export function smallerPiece(piece: BlockRange, hint: number | undefined): number | undefined {
  const blocks = blocksOf(piece);
  if (blocks < 2) return undefined;
  return hint !== undefined && hint < blocks ? hint : Math.ceil(blocks / 2);
}
