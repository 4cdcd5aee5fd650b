/** Decides whether a node's head replaces known blocks that contradict it (contract/heads#which-node-is-followed). Most heads extend the known one and need none of this. */

import { ExpiringMap } from '@flowgate/async/expiring-map';
import type { Clock } from '@flowgate/base/clock';
import { askByHash, askByHeight, askHeight, type HeadNode } from './head-node.ts';
import type { ReadBlock, TimedBlock } from './read-block.ts';

/** A head further above the known one must be confirmed by another node. */
export const maxLead = 16;

/** Timeout of each request to a node. */
const witnessTimeoutMs = 1_500;
/** Other nodes that are asked. */
const maxWitnesses = 2;
/** Ancestors that a node must return for a head that no other node confirms. */
const requiredAncestors = 2;
/** If no other node answers, a fork is accepted after this many reports in a row. */
const repetitions = { default: 2, ofAbandoned: 8 } as const;
/** A removed block needs `ofAbandoned` reports for this long. */
const abandonedMs = 60_000;
const maxAbandoned = 64;

export type HeadPlausibility = {
  /** Whether the node has the head's ancestors. A made-up head has none. Timestamps do not count: after a deep reorganization the new head may be older than the known one. */
  readonly hasAncestors: (node: HeadNode, head: ReadBlock) => Promise<boolean>;
  /** Whether a head far above the known one exists: another node is about as high, or this node has the head's ancestors. */
  readonly isConfirmed: (node: HeadNode, head: ReadBlock) => Promise<boolean>;
  /** Whether the chain that ends in `head` replaces known blocks. `hasReportedTip`: this node reported the tip itself, or the node that did is gone. */
  readonly replaces: (node: HeadNode, head: ReadBlock, tip: TimedBlock, hasReportedTip: boolean) => Promise<boolean>;
  /** Records removed blocks. */
  readonly noteAbandoned: (blocks: readonly TimedBlock[]) => void;
};

export function createHeadPlausibility(
  nodes: () => readonly HeadNode[],
  clock: Pick<Clock, 'monotonic'>,
): HeadPlausibility {
  /** Hashes of recently removed blocks. */
  const abandoned = new ExpiringMap<string, true>(clock, abandonedMs, maxAbandoned);
  let repeated = { hash: '', count: 0 };
  const witnesses = (node: HeadNode) =>
    nodes()
      .filter(({ nodeId }) => nodeId !== node.nodeId)
      .slice(0, maxWitnesses);

  async function hasAncestors(node: HeadNode, head: ReadBlock): Promise<boolean> {
    let oldest = head;
    for (let left = requiredAncestors; left > 0 && oldest.number > 0; left--) {
      const parent = await askByHash(node, oldest.parentHash, witnessTimeoutMs);
      if (typeof parent === 'string' || parent.number !== oldest.number - 1) return false;
      oldest = parent;
    }
    return true;
  }

  function wasAbandoned({ hash }: ReadBlock): boolean {
    return abandoned.get(hash) === true;
  }

  function isRepeated(head: ReadBlock): boolean {
    const isContinued = head.hash === repeated.hash || head.parentHash === repeated.hash;
    repeated = { hash: head.hash, count: isContinued ? repeated.count + 1 : 1 };
    return repeated.count >= (wasAbandoned(head) ? repetitions.ofAbandoned : repetitions.default);
  }

  return {
    hasAncestors,
    async isConfirmed(node, head) {
      const heights = await Promise.all(witnesses(node).map((each) => askHeight(each, witnessTimeoutMs)));
      if (heights.some((height) => height !== undefined && height >= head.number - maxLead)) return true;
      return hasAncestors(node, head);
    },
    async replaces(node, head, tip, hasReportedTip) {
      if (head.number > tip.number && hasReportedTip) return true;
      const others = witnesses(node);
      const blocks = await Promise.all(others.map((each) => askByHeight(each, head.number, witnessTimeoutMs)));
      const reported = blocks.filter((block) => typeof block !== 'string');
      const hasWitness = reported.some(({ hash }) => hash === head.hash);
      // Two nodes that are behind may still be on the abandoned branch.
      if (hasWitness) return !wasAbandoned(head) || isRepeated(head);
      if (reported.length > 0) return false;
      return isRepeated(head);
    },
    noteAbandoned(blocks) {
      for (const { hash } of blocks) abandoned.set(hash, true);
    },
  };
}
