/** Records the newest blocks of the nodes that are not followed. Calls for the newest block can go to them, and a node that is ahead can be followed instead. */

import { askHeight, type HeadNode } from './head-node.ts';
import { maxLead } from './head-plausibility.ts';

export type NodeHeights = {
  /** The newest block that a node is known to have, or its last claim if that is higher. */
  readonly claimOf: (nodeId: string) => number | undefined;
  /** Records the newest block that a node has, and drops its earlier claim. */
  readonly note: (nodeId: string, height: number) => void;
  /** Asks the nodes that are not known to have reached `height`. Each node has at most one request in flight. */
  readonly update: (nodes: readonly HeadNode[], height: number) => void;
};

const answerTimeoutMs = 3_000;
/** A node that is further behind is asked only in every nth call of `update`. */
const farBehind = { blocks: 64, everyNth: 16 } as const;

export function createNodeHeights(
  heightOf: (nodeId: string) => number | undefined,
  noteHead: (nodeId: string, height: number) => void,
): NodeHeights {
  const asking = new Set<string>();
  /** Each node's last claim. It may be too high to be recorded as the node's height. */
  const claims = new Map<string, number>();
  let turns = 0;

  async function ask(node: HeadNode, height: number): Promise<void> {
    asking.add(node.nodeId);
    const reported = await askHeight(node, answerTimeoutMs);
    asking.delete(node.nodeId);
    if (reported === undefined) return;
    claims.set(node.nodeId, reported);
    if (reported <= height + maxLead) noteHead(node.nodeId, reported);
  }

  return {
    claimOf(nodeId) {
      const [claim, height] = [claims.get(nodeId), heightOf(nodeId)];
      // An answer may have shown a newer block than the claim.
      return claim === undefined || height === undefined ? (claim ?? height) : Math.max(claim, height);
    },
    note(nodeId, height) {
      claims.delete(nodeId);
      noteHead(nodeId, height);
    },
    update(nodes, height) {
      turns++;
      for (const node of nodes) {
        const known = heightOf(node.nodeId) ?? height - 1;
        if (known >= height || asking.has(node.nodeId)) continue;
        if (height - known > farBehind.blocks && turns % farBehind.everyNth !== 0) continue;
        void ask(node, height);
      }
    },
  };
}
