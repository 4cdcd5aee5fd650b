/** Which node is asked next (contract/routing#candidates). */

import type { WatchedNode } from '../node-health.ts';
import type { CallTerms } from '../node-port.ts';

/** What a pool needs of a node. */
export type PooledNode = Pick<
  WatchedNode,
  'nodeId' | 'send' | 'sendBatch' | 'head' | 'isResting' | 'restMs' | 'isOut' | 'outage' | 'note'
>;

type Wanted = Pick<CallTerms, 'leftOut' | 'fromHeight' | 'onlyNode'>;

/** Nodes that may answer a call, the best first. The height counts more than anything else: an answer from before the block that a call names is wrong, whoever gives it. */
const ranks = { holds: 0, mayHold: 2, lacks: 4, resting: 1 } as const;

/**
 * Healthy nodes in their configured order, then resting ones, the shortest rest first: a pool whose nodes have all failed is still tried, and calls that break nodes do not send others to a dead one.
 * A node on another chain is not asked. One whose known head is lower than the height that the call needs is asked only when no other is left; of several such the one with the highest head comes first.
 */
export function nextOf(
  nodes: readonly PooledNode[],
  asked: ReadonlySet<PooledNode> | undefined,
  call: Wanted,
): PooledNode | undefined {
  let best: PooledNode | undefined;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    if (!mayAsk(node, asked, call)) continue;
    const rank = rankOf(node, call.fromHeight);
    if (rank === 0) return node;
    if (rank < bestRank || (rank === bestRank && best !== undefined && isBefore(node, best, rank))) {
      best = node;
      bestRank = rank;
    }
  }
  return best;
}

/** Whether another node than `one` is left that is healthy and not known to lack what the call is about. */
export function hasHealthyOther(
  nodes: readonly PooledNode[],
  one: PooledNode,
  asked: ReadonlySet<PooledNode> | undefined,
  call: Wanted,
): boolean {
  for (const node of nodes)
    if (node !== one && !node.isResting() && mayAsk(node, asked, call) && rankOf(node, call.fromHeight) < ranks.lacks)
      return true;
  return false;
}

function mayAsk(node: PooledNode, asked: ReadonlySet<PooledNode> | undefined, { leftOut, onlyNode }: Wanted): boolean {
  if (node.isOut() || asked?.has(node) === true || leftOut?.has(node.nodeId) === true) return false;
  return onlyNode === undefined || node.nodeId === onlyNode;
}

function rankOf(node: PooledNode, fromHeight: number | undefined): number {
  const resting = node.isResting() ? ranks.resting : 0;
  if (fromHeight === undefined) return resting;
  const head = node.head();
  return resting + (head === undefined ? ranks.mayHold : head >= fromHeight ? ranks.holds : ranks.lacks);
}

/** Of two nodes of one rank. */
function isBefore(node: PooledNode, other: PooledNode, rank: number): boolean {
  const [head = 0, otherHead = 0] = rank >= ranks.lacks ? [node.head(), other.head()] : [];
  return head === otherHead ? node.restMs() < other.restMs() : head > otherHead;
}
