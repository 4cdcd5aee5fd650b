/** Whether a node's word about the newest block is believed when it contradicts what is known (contract/heads#which-node-is-followed). Most heads follow the one before, and nothing of this is asked. */

import { ExpiringMap } from '@flowgate/async/expiring-map';
import type { Clock } from '@flowgate/base/clock';
import { askByHash, askByHeight, askHeight, type HeadNode } from './head-node.ts';
import type { ReadBlock, TimedBlock } from './read-block.ts';

/** A head that is further above the known one needs a witness. */
export const maxLead = 16;

/** Other nodes are asked for so long. */
const witnessTimeoutMs = 1_500;
/** How many others are asked. */
const maxWitnesses = 2;
/** The ancestors that a node shows of a head that no other confirms. */
const shownAncestors = 2;
/** In so many answers in a row a node tells a block beside the known ones, when no other node says anything about it. */
const repetitions = { usual: 2, ofAbandoned: 8 } as const;
/** A block that was left stays in doubt for so long. */
const abandonedMs = 60_000;
const maxAbandoned = 64;

export type HeadBeliefs = {
  /** Whether the node has ancestors of the head: a head that was made up has none. Its time says nothing: after a deep reorganization it may be before that of the known head. */
  readonly shows: (node: HeadNode, head: ReadBlock) => Promise<boolean>;
  /** Whether a head far above the known one is there: another node is about as far, or the node shows its ancestors. */
  readonly isThere: (node: HeadNode, head: ReadBlock) => Promise<boolean>;
  /** Whether the chain that ends in `head` takes the place of known blocks. `hasReportedTip`: whether the node told them itself, or the one that did is gone. */
  readonly replaces: (node: HeadNode, head: ReadBlock, tip: TimedBlock, hasReportedTip: boolean) => Promise<boolean>;
  /** Notes blocks that were removed. */
  readonly noteAbandoned: (blocks: readonly TimedBlock[]) => void;
};

export function createHeadBeliefs(nodes: () => readonly HeadNode[], clock: Pick<Clock, 'monotonic'>): HeadBeliefs {
  /** Hashes of blocks that are in doubt. */
  const abandoned = new ExpiringMap<string, true>(clock, abandonedMs, maxAbandoned);
  let repeated = { hash: '', count: 0 };
  const witnesses = (node: HeadNode) =>
    nodes()
      .filter(({ nodeId }) => nodeId !== node.nodeId)
      .slice(0, maxWitnesses);

  async function shows(node: HeadNode, head: ReadBlock): Promise<boolean> {
    let oldest = head;
    for (let left = shownAncestors; left > 0 && oldest.number > 0; left--) {
      const parent = await askByHash(node, oldest.parentHash, witnessTimeoutMs);
      if (typeof parent === 'string' || parent.number !== oldest.number - 1) return false;
      oldest = parent;
    }
    return true;
  }

  function hasUnknownOutcome({ hash }: ReadBlock): boolean {
    return abandoned.get(hash) === true;
  }

  function isRepeated(head: ReadBlock): boolean {
    const goesOn = head.hash === repeated.hash || head.parentHash === repeated.hash;
    repeated = { hash: head.hash, count: goesOn ? repeated.count + 1 : 1 };
    return repeated.count >= (hasUnknownOutcome(head) ? repetitions.ofAbandoned : repetitions.usual);
  }

  return {
    shows,
    async isThere(node, head) {
      const heights = await Promise.all(witnesses(node).map((each) => askHeight(each, witnessTimeoutMs)));
      if (heights.some((height) => height !== undefined && height >= head.number - maxLead)) return true;
      return shows(node, head);
    },
    async replaces(node, head, tip, hasReportedTip) {
      if (head.number > tip.number && hasReportedTip) return true;
      const others = witnesses(node);
      const blocks = await Promise.all(others.map((each) => askByHeight(each, head.number, witnessTimeoutMs)));
      const reported = blocks.filter((block) => typeof block !== 'string');
      const hasWitness = reported.some(({ hash }) => hash === head.hash);
      // Two nodes that are late may still be on the branch that the chain has left.
      if (hasWitness) return !hasUnknownOutcome(head) || isRepeated(head);
      if (reported.length > 0) return false;
      return isRepeated(head);
    },
    noteAbandoned(blocks) {
      for (const { hash } of blocks) abandoned.set(hash, true);
    },
  };
}
