/** Tracks the head of one chain: asks nodes one after another, follows one of them, and tells each change of the chain once. One question after another: whoever calls waits for its turn. */

import type { Clock } from '@flowgate/base/clock';
import { createHeadBeliefs, maxLead } from './head-beliefs.ts';
import { askLatest, type HeadNode } from './head-node.ts';
import type { ChainChange, HeadBlock } from './network-heads.ts';
import type { ReadBlock, TimedBlock } from './read-block.ts';
import { type Branch, readBranch, recallBlocks } from './read-branch.ts';
import { createRememberedChain, maxRemembered, type RememberedChain } from './remembered-chain.ts';

export type HeadTracker = {
  readonly chain: RememberedChain;
  readonly head: () => HeadBlock | undefined;
  /** When the newest block was last seen to be the newest. */
  readonly seenAtMs: () => number;
  /** The node that is followed. */
  readonly source: () => HeadNode | undefined;
  /** Whether a node told a block of the known chain in the last look that is not the newest one. */
  readonly isLate: () => boolean;
  /** Asks the nodes for the head. Whether one of them told it. */
  readonly look: () => Promise<boolean>;
  /** Remembers some blocks below the head, for who follows. */
  readonly recall: () => Promise<void>;
  /** Takes a head that a node told by itself. Whether it is the head now; if not, `look` finds out what it means. */
  readonly take: (node: HeadNode, block: ReadBlock) => Promise<boolean>;
};

export type HeadTrackerDeps = {
  /** Those whose word counts, in their order. */
  readonly nodes: () => readonly HeadNode[];
  /** The newest block that a node is known to have, or says it has. */
  readonly claimOf: (nodeId: string) => number | undefined;
  /** Notes what a node has; what it said before is void. */
  readonly noteHead: (nodeId: string, height: number) => void;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Whether somebody wants each block. */
  readonly isFollowed: () => boolean;
  readonly changed: (change: ChainChange, tip: TimedBlock) => void;
  /** The chain begins again with this block. */
  readonly lost: (tip: TimedBlock) => void;
};

/** Nodes that are asked in one look. */
const maxAsked = 3;
/** The last node of a look may take longer than the others. */
const timeouts = { answerMs: 1_500, lastAnswerMs: 5_000, branchMs: 15_000 } as const;
/** Blocks of a branch and their bytes: for who wants each of them, and when no one does. */
const maxBlocks = { followed: maxRemembered, else: 32 } as const;
const maxBranchBytes = 16_777_216;
/** Blocks below the first head that was seen. */
const maxRecalled = 16;
/** Looks in a row in which the blocks up to the head could not be read. */
const maxUnread = 5;
/** In so many looks in a row, and for so long, every node that answers tells a lower head: the chain has gone back. Longer when the node that told the head does not answer. */
const goneBack = { looks: 8, ms: 5_000, untoldMs: 30_000 } as const;
/** A node that did not answer, or was not believed, is asked last for so long. */
const unansweredMs = 10_000;
const disbelievedMs = 30_000;

/** `behind`: a block that is known, and not the newest. `refused`: it is not believed, or its blocks cannot be read. */
type Verdict = 'seen' | 'behind' | 'refused';

export function createHeadTracker(deps: HeadTrackerDeps): HeadTracker {
  const { clock } = deps;
  const chain = createRememberedChain();
  const beliefs = createHeadBeliefs(deps.nodes, clock);
  let source: HeadNode | undefined;
  let head: HeadBlock | undefined;
  let seenAtMs = Number.NEGATIVE_INFINITY;
  let unread = 0;
  let isRecalling = false;
  let isLate = false;
  let behind: { readonly sinceMs: number; looks: number } | undefined;
  const silentUntilMs = new Map<string, number>();
  /** What each node claimed when it was asked last: a claim brings it forward once. */
  const heard = new Map<string, number>();
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
    const done = turn.then(work);
    turn = done;
    return done;
  }

  /** Those that are further, the node that is followed, the others in their order, and last those that did not answer. A single node is asked twice, since several may be behind its address. */
  function inOrder(): readonly HeadNode[] {
    const now = clock.monotonic();
    const nodes = deps.nodes();
    for (const [nodeId, untilMs] of silentUntilMs) if (untilMs <= now) silentUntilMs.delete(nodeId);
    const tip = chain.tip()?.number ?? 0;
    const rank = ({ nodeId }: HeadNode) => {
      if (silentUntilMs.has(nodeId)) return 3;
      if (nodeId === source?.nodeId) return 1;
      const claim = deps.claimOf(nodeId) ?? 0;
      return claim > tip && claim > (heard.get(nodeId) ?? 0) ? 0 : 2;
    };
    const ordered = nodes.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxAsked);
    return ordered.length === 1 ? [...ordered, ...ordered] : ordered;
  }

  async function look(): Promise<boolean> {
    const startedMs = clock.monotonic();
    const order = inOrder();
    isLate = false;
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
      heard.set(node.nodeId, deps.claimOf(node.nodeId) ?? 0);
      const verdict = await evaluate(node, block);
      if (verdict === 'seen') return seen(node, askedMs);
      if (verdict === 'behind') {
        isLate = true;
        deps.noteHead(node.nodeId, block.number);
        lower.push({ node, block });
      } else silentUntilMs.set(node.nodeId, clock.monotonic() + disbelievedMs);
    }
    return goBack(startedMs, lower);
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
    if (tip === undefined) return (await beliefs.shows(node, head)) ? restart(node, head) : 'refused';
    if (head.hash === tip.hash) return 'seen';
    if (head.number < chain.lowest() || chain.at(head.number)?.hash === head.hash) return 'behind';
    if (head.number > tip.number + maxLead && !(await beliefs.isThere(node, head))) return 'refused';
    const branch = await branchTo(node, head);
    if (branch === 'failed') {
      unread++;
      if (unread < maxUnread) return 'refused';
    }
    const isApart = typeof branch === 'string';
    const isFork = isApart || branch.keptTo < tip.number;
    if (isFork && !(await beliefs.replaces(node, head, tip, hasReportedTip(node)))) return 'refused';
    if (!isApart) return apply(node, branch, head);
    return (await beliefs.shows(node, head)) ? restart(node, head) : 'refused';
  }

  /** Whether the known blocks are this node's own word, or no one's any more. */
  function hasReportedTip({ nodeId }: HeadNode): boolean {
    if (source === undefined || nodeId === source.nodeId) return true;
    return silentUntilMs.has(source.nodeId) || !deps.nodes().some((each) => each.nodeId === source?.nodeId);
  }

  function branchTo(node: HeadNode, head: ReadBlock): Promise<Branch | 'apart' | 'failed'> {
    const dueMs = clock.monotonic() + timeouts.branchMs;
    return readBranch(node, chain, head, {
      maxBlocks: deps.isFollowed() ? maxBlocks.followed : maxBlocks.else,
      maxBytes: maxBranchBytes,
      timeoutMs: timeouts.answerMs,
      isInTime: () => clock.monotonic() < dueMs,
    });
  }

  function apply(node: HeadNode, { keptTo, added }: Branch, tip: TimedBlock): 'seen' {
    const removed = chain.replace(keptTo, added);
    beliefs.noteAbandoned(removed);
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

  /** Every node that answered tells a lower head. */
  function goBack(nowMs: number, lower: readonly { readonly node: HeadNode; readonly block: ReadBlock }[]): boolean {
    const [first] = lower;
    const tip = chain.tip();
    if (first === undefined || tip === undefined) {
      behind = undefined;
      return false;
    }
    behind ??= { sinceMs: nowMs, looks: 0 };
    behind.looks++;
    const isOwnWord = lower.some(({ node }) => hasReportedTip(node) && node.nodeId === source?.nodeId);
    const minMs = isOwnWord ? goneBack.ms : goneBack.untoldMs;
    if (behind.looks < goneBack.looks || nowMs - behind.sinceMs < minMs) return false;
    const highest = lower.reduce((one, other) => (other.block.number > one.block.number ? other : one), first);
    const { node, block } = highest;
    if (chain.at(block.number)?.hash === block.hash) apply(node, { keptTo: block.number, added: [] }, block);
    else restart(node, block);
    return seen(node, nowMs);
  }

  return {
    chain,
    head: () => head,
    seenAtMs: () => seenAtMs,
    source: () => source,
    isLate: () => isLate,
    look: () => inTurn(look),
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
        // The first blocks of another branch are lower than the known head: only the node's newest block tells whether it has taken its place.
        if (tip === undefined || (block.number <= tip.number && block.hash !== tip.hash)) return false;
        return (await evaluate(node, block)) === 'seen' && seen(node, takenMs);
      }),
  };
}
