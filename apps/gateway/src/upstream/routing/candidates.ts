/** Chooses the next node for a call (contract/routing#candidates). */

import { type CallTerms, isOwnQuestion } from '../port/node-port.ts';
import type { RoutingSettings } from './routing-settings.ts';
import type { WatchedNode } from './watched-node.ts';

/** The interface of a node for a pool. */
export type PooledNode = Pick<
  WatchedNode,
  | 'nodeId'
  | 'tier'
  | 'load'
  | 'send'
  | 'sendBatch'
  | 'head'
  | 'isBehind'
  | 'isUnhealthy'
  | 'isCircuitOpen'
  | 'hasFailedLast'
  | 'isDue'
  | 'coolDownMs'
  | 'isOut'
  | 'take'
  | 'note'
  | 'drop'
>;

/** The tier of shared nodes, after all nodes of the operator. */
export const lastTier = Number.POSITIVE_INFINITY;

export type Choice = Pick<RoutingSettings, 'strategy'> & {
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
};

type Wanted = Pick<
  CallTerms,
  'leftOut' | 'timedOut' | 'fromHeight' | 'ownOnly' | 'onlyNode' | 'repeatable' | 'caller' | 'isOwn'
>;

/**
 * Reasons against a node; the largest number weighs most. A node without the call's block gives a wrong answer, and a node that is far behind may do so.
 * Both rank after nodes that are only likely to fail.
 */
const against = { lacks: 16, mayLack: 8, behind: 4, unhealthy: 2, circuitOpen: 1 } as const;
const noCandidate = against.behind | against.unhealthy | against.circuitOpen;

/** `asked`: nodes that were asked for this call before; undefined for the first try. */
export function nextOf(
  nodes: readonly PooledNode[],
  asked: ReadonlySet<PooledNode> | undefined,
  call: Wanted,
  choice: Choice,
  methodClass: number,
  nowMs: number,
): PooledNode | undefined {
  const [only] = nodes;
  if (only === undefined || nodes.length === 1)
    return only !== undefined && mayAsk(only, asked, call) ? only : undefined;
  let bestRank = Number.POSITIVE_INFINITY;
  let bestTier = Number.POSITIVE_INFINITY;
  let due: PooledNode | undefined;
  let best: PooledNode[] = [];
  let withShared: boolean | undefined;
  for (const node of nodes) {
    if (!mayAsk(node, asked, call)) continue;
    if (node.tier === lastTier) {
      withShared ??= mayAskShared(nodes, call);
      if (!withShared) continue;
    }
    const rank = rankOf(node, call);
    if (rank < bestRank || (rank === bestRank && node.tier < bestTier)) {
      best = [];
      bestRank = rank;
      bestTier = node.tier;
    }
    if (rank === bestRank && node.tier === bestTier) best.push(node);
    if (due === undefined && (rank & noCandidate) === against.circuitOpen && node.isDue(nowMs)) due = node;
  }
  // If the best nodes only fail their health checks, they share the calls like candidates.
  if ((bestRank & (against.behind | against.circuitOpen)) !== 0 || bestRank >= against.lacks)
    return likeliest(best, bestRank);
  // A failed probe goes to another node, so only a repeatable first try probes.
  if (due !== undefined && asked === undefined && call.repeatable && due.tier <= bestTier && !isOwnQuestion(call))
    if (rankOf(due, call) === (bestRank | against.circuitOpen)) return due;
  return best.length < 2 ? best[0] : chosen(best, call, choice, methodClass, nowMs);
}

/** The best other node that is left for the call. `ready`: likely to answer, and not known to lack the block. `likely to fail`: has the block, but its circuit is open or its health checks fail. */
export function otherThan(
  nodes: readonly PooledNode[],
  one: PooledNode,
  asked: ReadonlySet<PooledNode> | undefined,
  call: Wanted,
): 'ready' | 'likely to fail' | 'lacking' | 'none' {
  let withShared: boolean | undefined;
  let best: 'likely to fail' | 'lacking' | 'none' = 'none';
  for (const node of nodes) {
    if (node === one || !mayAsk(node, asked, call)) continue;
    if (node.tier === lastTier) {
      withShared ??= mayAskShared(nodes, call);
      if (!withShared) continue;
    }
    const rank = rankOf(node, call);
    if ((rank & (against.lacks | against.unhealthy | against.circuitOpen)) === 0) return 'ready';
    if (rank < against.lacks) best = 'likely to fail';
    else if (best === 'none') best = 'lacking';
  }
  return best;
}

/** Whether another candidate of the same or a lower tier was not asked yet. */
export function hasPeer(
  nodes: readonly PooledNode[],
  one: PooledNode,
  asked: ReadonlySet<PooledNode> | undefined,
  call: Wanted,
): boolean {
  let withShared: boolean | undefined;
  for (const node of nodes) {
    if (node === one || node.tier > one.tier || !mayAsk(node, asked, call)) continue;
    if (node.tier === lastTier) {
      withShared ??= mayAskShared(nodes, call);
      if (!withShared) continue;
    }
    if (rankOf(node, call) === 0) return true;
  }
  return false;
}

/** Whether shared nodes may be asked. They are not asked about a block that no node of the operator has reached, unless the pool has no node of the operator (contract/nodes#what-shared-nodes-are-asked). */
function mayAskShared(nodes: readonly PooledNode[], { fromHeight, ownOnly }: Wanted): boolean {
  if (fromHeight === undefined && ownOnly !== true) return true;
  let hasOwn = false;
  for (const node of nodes) {
    if (node.tier === lastTier) continue;
    hasOwn = true;
    if (ownOnly === true) return false;
    if ((node.head() ?? -1) >= (fromHeight ?? -1)) return true;
  }
  return !hasOwn;
}

function mayAsk(node: PooledNode, asked: ReadonlySet<PooledNode> | undefined, { leftOut, onlyNode }: Wanted): boolean {
  if (node.isOut() || asked?.has(node) === true || leftOut?.has(node.nodeId) === true) return false;
  return onlyNode === undefined || node.nodeId === onlyNode;
}

/** 0 for a candidate. */
function rankOf(node: PooledNode, { fromHeight, timedOut }: Wanted): number {
  let rank = 0;
  if (node.isCircuitOpen()) rank |= against.circuitOpen;
  if (node.isUnhealthy() || timedOut?.has(node.nodeId) === true) rank |= against.unhealthy;
  if (node.isBehind()) rank |= against.behind;
  if (fromHeight === undefined) return rank;
  // A head that a shared node reports does not count.
  const head = node.tier === lastTier ? undefined : node.head();
  if (head === undefined) return rank | against.mayLack;
  return head < fromHeight ? rank | against.lacks : rank;
}

/** The newest block that an operator's node is known to have, -1 for none, if the call needs a higher block. */
export function behindAt(node: PooledNode, { fromHeight }: Wanted): number | undefined {
  if (fromHeight === undefined || node.tier === lastTier) return undefined;
  const head = node.head() ?? -1;
  return head < fromHeight ? head : undefined;
}

/** The best node that is no candidate: the one with the highest head if nodes lack the height, else the one that cools down for the shortest time. */
function likeliest(best: readonly PooledNode[], rank: number): PooledNode | undefined {
  let first = best[0];
  for (const node of best) if (first !== undefined && node !== first && isLikelier(node, first, rank)) first = node;
  return first;
}

function isLikelier(node: PooledNode, other: PooledNode, rank: number): boolean {
  const [head = 0, otherHead = 0] = rank >= against.behind ? [node.head(), other.head()] : [];
  return head === otherHead ? node.coolDownMs() < other.coolDownMs() : head > otherHead;
}

function chosen(
  best: readonly PooledNode[],
  call: Wanted,
  choice: Choice,
  methodClass: number,
  nowMs: number,
): PooledNode | undefined {
  // A call that must not be repeated goes to a node that failed recently only if no other is left.
  const trusted = call.repeatable ? best : best.filter((node) => !node.hasFailedLast());
  const among = trusted.length > 0 ? trusted : best;
  if (choice.strategy === 'ordered' || among.length < 2) return among[0];
  const at = Math.floor(choice.random() * among.length);
  const other = (at + 1 + Math.floor(choice.random() * (among.length - 1))) % among.length;
  const [one, two] = [among[at], among[other]];
  if (one === undefined || two === undefined) return one ?? two ?? among[0];
  return two.load.cost(methodClass, nowMs) < one.load.cost(methodClass, nowMs) ? two : one;
}
