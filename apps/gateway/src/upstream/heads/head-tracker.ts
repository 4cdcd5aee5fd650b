/** Tracks the head of one chain: polls nodes in turn, follows one of them, and reports each change of the chain once. Operations run one at a time. */

import type { Clock } from '@flowgate/base/clock';
import { askLatest, type HeadNode } from './head-node.ts';
import { createHeadPlausibility, maxLead } from './head-plausibility.ts';
import type { ChainChange, HeadBlock } from './network-heads.ts';
import type { ReadBlock, TimedBlock } from './read-block.ts';
import { type Branch, readBranch, recallBlocks } from './read-branch.ts';
import { createRememberedChain, maxRemembered, type RememberedChain } from './remembered-chain.ts';

export type HeadTracker = {
  readonly chain: RememberedChain;
  readonly head: () => HeadBlock | undefined;
  /** When a node last confirmed that the head is its newest block. */
  readonly seenAtMs: () => number;
  /** The node that is followed. */
  readonly source: () => HeadNode | undefined;
  /** Whether a node reported an older block of the known chain in the last poll. */
  readonly isNodeBehind: () => boolean;
  /** Asks the nodes for the head. Resolves to true if a node confirmed or replaced it. */
  readonly poll: () => Promise<boolean>;
  /** Reads some blocks below the head, so that followers see a reorganization block by block. */
  readonly recall: () => Promise<void>;
  /** Accepts a head that a node pushed. Resolves to false if it is not the head now; `poll` then finds the head. */
  readonly take: (node: HeadNode, block: ReadBlock) => Promise<boolean>;
};

export type HeadTrackerDeps = {
  /** The nodes that the operator vouches for, in configured order. */
  readonly nodes: () => readonly HeadNode[];
  /** The newest block that a node is known to have, or claims to have. */
  readonly claimOf: (nodeId: string) => number | undefined;
  /** Records the newest block that a node has, and drops its earlier claim. */
  readonly noteHead: (nodeId: string, height: number) => void;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Whether a follower needs each block. */
  readonly isFollowed: () => boolean;
  readonly changed: (change: ChainChange, tip: TimedBlock) => void;
  /** The chain starts again with this block. */
  readonly lost: (tip: TimedBlock) => void;
};

/** Nodes that are asked in one poll. */
const maxAsked = 3;
/** The last node of a poll gets more time. */
const timeouts = { answerMs: 1_500, lastAnswerMs: 5_000, branchMs: 15_000 } as const;
/** Bounds of a branch in blocks and bytes, with and without followers. */
const maxBlocks = { followed: maxRemembered, else: 32 } as const;
const maxBranchBytes = 16_777_216;
/** Blocks that are read below the first head. */
const maxRecalled = 16;
/** After this many failed reads of a branch in a row, its head is treated as disconnected. */
const maxUnread = 5;
/** A rollback is accepted after this many polls and this long, if each node that answers reports a lower head. `unreportedMs` applies if the node that reported the tip does not answer. */
const rollback = { polls: 8, ms: 5_000, unreportedMs: 30_000 } as const;
/** A node that does not answer, or whose head is refused, is asked last for this long. */
const unansweredMs = 10_000;
const refusedMs = 30_000;

/** `behind`: a known block that is not the newest. `refused`: the head is implausible, or its blocks cannot be read. */
type Verdict = 'seen' | 'behind' | 'refused';

export function createHeadTracker(deps: HeadTrackerDeps): HeadTracker {
  const { clock } = deps;
  const chain = createRememberedChain();
  const plausibility = createHeadPlausibility(deps.nodes, clock);
  let source: HeadNode | undefined;
  let head: HeadBlock | undefined;
  let seenAtMs = Number.NEGATIVE_INFINITY;
  let unread = 0;
  let isRecalling = false;
  let isNodeBehind = false;
  let behind: { readonly sinceMs: number; polls: number } | undefined;
  const silentUntilMs = new Map<string, number>();
  /** Each node's claim when it was last asked. A claim moves its node to the front once. */
  const lastClaims = new Map<string, number>();
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
    const done = turn.then(work);
    turn = done;
    return done;
  }

  /** First the nodes that claim more than the tip, then the followed node, the others in configured order, and last those that did not answer. A single node is asked twice: its address may be a load balancer. */
  function inOrder(): readonly HeadNode[] {
    const now = clock.monotonic();
    const nodes = deps.nodes();
    for (const [nodeId, untilMs] of silentUntilMs) if (untilMs <= now) silentUntilMs.delete(nodeId);
    const tip = chain.tip()?.number ?? 0;
    const rank = ({ nodeId }: HeadNode) => {
      if (silentUntilMs.has(nodeId)) return 3;
      if (nodeId === source?.nodeId) return 1;
      const claim = deps.claimOf(nodeId) ?? 0;
      return claim > tip && claim > (lastClaims.get(nodeId) ?? 0) ? 0 : 2;
    };
    const ordered = nodes.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxAsked);
    return ordered.length === 1 ? [...ordered, ...ordered] : ordered;
  }

  async function poll(): Promise<boolean> {
    const startedMs = clock.monotonic();
    const order = inOrder();
    isNodeBehind = false;
    const lower: { readonly node: HeadNode; readonly block: ReadBlock }[] = [];
    for (const [nth, node] of order.entries()) {
      const askedMs = clock.monotonic();
      const isLast = nth === order.length - 1;
      const block = await askLatest(node, isLast ? timeouts.lastAnswerMs : timeouts.answerMs);
      if (typeof block === 'string') {
        silentUntilMs.set(node.nodeId, clock.monotonic() + unansweredMs);
        continue;
      }
      silentUntilMs.delete(node.nodeId);
      lastClaims.set(node.nodeId, deps.claimOf(node.nodeId) ?? 0);
      const verdict = await evaluate(node, block);
      if (verdict === 'seen') return seen(node, askedMs);
      if (verdict === 'behind') {
        isNodeBehind = true;
        deps.noteHead(node.nodeId, block.number);
        lower.push({ node, block });
      } else silentUntilMs.set(node.nodeId, clock.monotonic() + refusedMs);
    }
    return rollBack(startedMs, lower);
  }

  function seen(node: HeadNode, askedMs: number): true {
    follow(node);
    seenAtMs = askedMs;
    behind = undefined;
    unread = 0;
    deps.noteHead(node.nodeId, chain.tip()?.number ?? 0);
    return true;
  }

  async function evaluate(node: HeadNode, head: ReadBlock): Promise<Verdict> {
    const tip = chain.tip();
    if (tip === undefined) return (await plausibility.hasAncestors(node, head)) ? restart(node, head) : 'refused';
    if (head.hash === tip.hash) return 'seen';
    if (head.number < chain.lowest() || chain.at(head.number)?.hash === head.hash) return 'behind';
    if (head.number > tip.number + maxLead && !(await plausibility.isConfirmed(node, head))) return 'refused';
    const branch = await branchTo(node, head);
    if (branch === 'failed') {
      unread++;
      if (unread < maxUnread) return 'refused';
    }
    const isDisconnected = typeof branch === 'string';
    const isFork = isDisconnected || branch.commonHeight < tip.number;
    if (isFork && !(await plausibility.replaces(node, head, tip, hasReportedTip(node)))) return 'refused';
    if (!isDisconnected) return apply(node, branch, head);
    return (await plausibility.hasAncestors(node, head)) ? restart(node, head) : 'refused';
  }

  /** Whether this node reported the known blocks itself, or the node that did is gone. */
  function hasReportedTip({ nodeId }: HeadNode): boolean {
    if (source === undefined || nodeId === source.nodeId) return true;
    return silentUntilMs.has(source.nodeId) || !deps.nodes().some((each) => each.nodeId === source?.nodeId);
  }

  function branchTo(node: HeadNode, head: ReadBlock): Promise<Branch | 'disconnected' | 'failed'> {
    const dueMs = clock.monotonic() + timeouts.branchMs;
    return readBranch(node, chain, head, {
      maxBlocks: deps.isFollowed() ? maxBlocks.followed : maxBlocks.else,
      maxBytes: maxBranchBytes,
      timeoutMs: timeouts.answerMs,
      isInTime: () => clock.monotonic() < dueMs,
    });
  }

  function apply(node: HeadNode, { commonHeight, added }: Branch, tip: TimedBlock): 'seen' {
    const removed = chain.replace(commonHeight, added);
    plausibility.noteAbandoned(removed);
    follow(node);
    deps.changed({ removed, added }, tip);
    return 'seen';
  }

  function restart(node: HeadNode, tip: TimedBlock): 'seen' {
    const isFirst = chain.tip() === undefined;
    chain.restart(tip);
    follow(node);
    if (!isFirst) deps.lost(tip);
    return 'seen';
  }

  function follow(node: HeadNode): void {
    source = node;
    const tip = chain.tip();
    if (tip === undefined || (head?.hash === tip.hash && head.nodeId === node.nodeId)) return;
    const { number, hash, parentHash } = tip;
    head = { number, hash, parentHash, nodeId: node.nodeId };
  }

  /** Handles a poll in which each node that answered reported a lower head. */
  function rollBack(nowMs: number, lower: readonly { readonly node: HeadNode; readonly block: ReadBlock }[]): boolean {
    const [first] = lower;
    const tip = chain.tip();
    if (first === undefined || tip === undefined) {
      behind = undefined;
      return false;
    }
    behind ??= { sinceMs: nowMs, polls: 0 };
    behind.polls++;
    const hasSourceAnswered = lower.some(({ node }) => hasReportedTip(node) && node.nodeId === source?.nodeId);
    const minMs = hasSourceAnswered ? rollback.ms : rollback.unreportedMs;
    if (behind.polls < rollback.polls || nowMs - behind.sinceMs < minMs) return false;
    const highest = lower.reduce((one, other) => (other.block.number > one.block.number ? other : one), first);
    const { node, block } = highest;
    if (chain.at(block.number)?.hash === block.hash) apply(node, { commonHeight: block.number, added: [] }, block);
    else restart(node, block);
    return seen(node, nowMs);
  }

  return {
    chain,
    head: () => head,
    seenAtMs: () => seenAtMs,
    source: () => source,
    isNodeBehind: () => isNodeBehind,
    poll: () => inTurn(poll),
    recall: async () => {
      if (source === undefined || chain.size() >= maxRecalled || isRecalling) return;
      isRecalling = true;
      const node = source;
      const dueMs = clock.monotonic() + timeouts.branchMs;
      const terms = { timeoutMs: timeouts.answerMs, isInTime: () => clock.monotonic() < dueMs };
      await inTurn(() => recallBlocks(node, chain, maxRecalled, terms));
      isRecalling = false;
    },
    take: (node, block) =>
      inTurn(async () => {
        const takenMs = clock.monotonic();
        const tip = chain.tip();
        // The first blocks of another branch are lower than the known head. Only the node's newest block shows whether that branch has replaced it.
        if (tip === undefined || (block.number <= tip.number && block.hash !== tip.hash)) return false;
        return (await evaluate(node, block)) === 'seen' && seen(node, takenMs);
      }),
  };
}
