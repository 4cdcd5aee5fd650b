/** Which node is asked next (contract/routing#candidates). */

import { type CallTerms, isOwnQuestion } from '../port/node-port.ts';
import type { WatchedNode } from './node-health.ts';
import type { RoutingSettings } from './routing-settings.ts';

/** What a pool needs of a node. */
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
  | 'isDoubtful'
  | 'isDue'
  | 'restMs'
  | 'isOut'
  | 'take'
  | 'note'
  | 'drop'
>;

/** The tier of nodes that users share: after every node of the operator. */
export const lastTier = Number.POSITIVE_INFINITY;

export type Choice = Pick<RoutingSettings, 'strategy'> & {
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number;
};

type Wanted = Pick<
  CallTerms,
  'leftOut' | 'timedOut' | 'fromHeight' | 'ownOnly' | 'onlyNode' | 'repeatable' | 'caller' | 'isOwn'
>;

/**
 * Reasons against a node, the weightiest with the largest number: an answer from before the block that a call names is wrong, whoever gives it, and one of a node that is far behind may be. So both are
 * asked after those that are only likely to fail.
 */
const against = { lacks: 16, mayLack: 8, behind: 4, unhealthy: 2, idleFigures: 1 } as const;
const noCandidate = against.behind | against.unhealthy | against.idleFigures;

/** `asked`: those that were asked for this call before; undefined for its first try. */
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
    if (due === undefined && (rank & noCandidate) === against.idleFigures && node.isDue(nowMs)) due = node;
  }
  // Nodes whose checks fail for a reason of their own share the calls as candidates do.
  if ((bestRank & (against.behind | against.idleFigures)) !== 0 || bestRank >= against.lacks)
    return likeliest(best, bestRank);
  // The call that probes a node can go elsewhere when that fails.
  if (due !== undefined && asked === undefined && call.repeatable && due.tier <= bestTier && !isOwnQuestion(call))
    if (rankOf(due, call) === (bestRank | against.idleFigures)) return due;
  return best.length < 2 ? best[0] : chosen(best, call, choice, methodClass, nowMs);
}

/** Another node than `one` that is left for the call. `ready`: it is likely to answer, and not known to lack what the call is about. `likely to fail`: it has that, but rests or fails its checks. */
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
    if ((rank & (against.lacks | against.unhealthy | against.idleFigures)) === 0) return 'ready';
    if (rank < against.lacks) best = 'likely to fail';
    else if (best === 'none') best = 'lacking';
  }
  return best;
}

/** Whether there is another candidate of `one`'s tier, or a lower one, that was not asked. */
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

/** Whether nodes of users may be asked: not about a block that none of the operator's has reached. While the pool has no node of the operator, they are asked about everything (contract/nodes#what-shared-nodes-are-asked). */
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
  if (node.isCircuitOpen()) rank |= against.idleFigures;
  if (node.isUnhealthy() || timedOut?.has(node.nodeId) === true) rank |= against.unhealthy;
  if (node.isBehind()) rank |= against.behind;
  if (fromHeight === undefined) return rank;
  // What nodes of users say of their heads counts for nothing.
  const head = node.tier === lastTier ? undefined : node.head();
  if (head === undefined) return rank | against.mayLack;
  return head < fromHeight ? rank | against.lacks : rank;
}

/** The newest block that an operator's node is known to have, -1 for none, if the call needs a higher one. */
export function behindAt(node: PooledNode, { fromHeight }: Wanted): number | undefined {
  if (fromHeight === undefined || node.tier === lastTier) return undefined;
  const head = node.head() ?? -1;
  return head < fromHeight ? head : undefined;
}

/** Of those that are no candidates: the one with the highest head where the height is what they lack, else the one that rests shortest. */
function likeliest(best: readonly PooledNode[], rank: number): PooledNode | undefined {
  let first = best[0];
  for (const node of best) if (first !== undefined && node !== first && isLikelier(node, first, rank)) first = node;
  return first;
}

function isLikelier(node: PooledNode, other: PooledNode, rank: number): boolean {
  const [head = 0, otherHead = 0] = rank >= against.behind ? [node.head(), other.head()] : [];
  return head === otherHead ? node.restMs() < other.restMs() : head > otherHead;
}

function chosen(
  best: readonly PooledNode[],
  call: Wanted,
  choice: Choice,
  methodClass: number,
  nowMs: number,
): PooledNode | undefined {
  // What must not be repeated goes to a node that has just failed only when there is no other.
  const trusted = call.repeatable ? best : best.filter((node) => !node.isDoubtful());
  const among = trusted.length > 0 ? trusted : best;
  if (choice.strategy === 'ordered' || among.length < 2) return among[0];
  const at = Math.floor(choice.random() * among.length);
  const other = (at + 1 + Math.floor(choice.random() * (among.length - 1))) % among.length;
  const [one, two] = [among[at], among[other]];
  if (one === undefined || two === undefined) return one ?? two ?? among[0];
  return two.load.cost(methodClass, nowMs) < one.load.cost(methodClass, nowMs) ? two : one;
}
