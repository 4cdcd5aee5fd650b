/** The height that a node needs to answer a call: that of the block that the call names, or the reported head. */

import type { LedgerFamily } from '@flowgate/chain/families/ledger-family';
import type { NodeQuestion } from '../../../upstream/port/node-port.ts';
import { namedBlock } from '../named-block.ts';

/**
 * `newest`: the answer is about the newest block; if it shows a block, it shows that one. `recent`: the answer depends on the newest block in another way, or
 * this is unknown. `pending`: it depends on the block after the newest. `none`: it depends only on named blocks. `height`: the highest named block, -1 for
 * none.
 */
export type NeededHeight = {
  readonly of: 'newest' | 'recent' | 'pending' | 'none';
  readonly height: number;
  /** Whether the highest block is the end of a range. */
  readonly isRange?: true | undefined;
};

const none: NeededHeight = { of: 'none', height: -1 };
const newest: NeededHeight = { of: 'newest', height: -1 };
const recent: NeededHeight = { of: 'recent', height: -1 };
const pending: NeededHeight = { of: 'pending', height: -1 };

export function neededHeight(family: Pick<LedgerFamily, 'blocks'>, question: NodeQuestion): NeededHeight {
  const named = namedBlock(family, question);
  switch (named.kind) {
    case 'tag':
      if (named.tag === 'latest') return newest;
      return named.tag === 'pending' ? pending : named.tag === 'earliest' ? none : recent;
    case 'head':
      return newest;
    case 'unknown':
      return recent;
    case 'height':
      return { of: 'none', height: named.height };
    case 'range': {
      const { from, to } = named;
      const height = Math.max(from.kind === 'height' ? from.height : -1, to.kind === 'height' ? to.height : -1);
      const isRecent = (from.kind === 'tag' && from.tag !== 'earliest') || (to.kind === 'tag' && to.tag !== 'earliest');
      return { of: isRecent ? 'recent' : 'none', height, isRange: true };
    }
    default:
      return none;
  }
}

/** The height that a node must have reached; -1 when any node may answer. */
export function minHeight({ of, height }: NeededHeight, reported: number | undefined): number {
  return of === 'none' ? height : Math.max(height, reported ?? -1);
}
