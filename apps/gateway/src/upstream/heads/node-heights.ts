/** Keeps known what the other nodes have while one is followed, so that calls for the newest block can go to them, too, and one that is further can be followed instead. */

import { maxLead } from './head-beliefs.ts';
import { askHeight, type HeadNode } from './head-node.ts';

export type NodeHeights = {
  /** What a node is known to have, or said last. */
  readonly claimOf: (nodeId: string) => number | undefined;
  /** Notes what a node has. */
  readonly note: (nodeId: string, height: number) => void;
  /** Asks the nodes that are not known to have reached `height`, each for one answer at a time. */
  readonly keepUp: (nodes: readonly HeadNode[], height: number) => void;
};

const answerTimeoutMs = 3_000;
/** A node that is further behind is asked only in every nth turn. */
const farBehind = { blocks: 64, everyNth: 16 } as const;

export function createNodeHeights(
  heightOf: (nodeId: string) => number | undefined,
  noteHead: (nodeId: string, height: number) => void,
): NodeHeights {
  const asking = new Set<string>();
  /** What each node said last: possibly too much to be noted. */
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
      // What it has shown in an answer since is more than it said.
      return claim === undefined || height === undefined ? (claim ?? height) : Math.max(claim, height);
    },
    note(nodeId, height) {
      claims.delete(nodeId);
      noteHead(nodeId, height);
    },
    keepUp(nodes, height) {
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
