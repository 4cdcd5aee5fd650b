/** The heads of a network, or of one node: what is known of its newest blocks, kept fresh while somebody wants it. */

import { backOffMs } from '@flowgate/async/back-off';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import { createFinalHeight } from './final-height.ts';
import { type AskedNode, createHeadNode, type HeadNode } from './head-node.ts';
import { createHeadPace } from './head-pace.ts';
import { createHeadTracker } from './head-tracker.ts';
import { createHeadsFeed } from './heads-feed.ts';
import type { HeadsFollower, NetworkHeads } from './network-heads.ts';
import { createNodeHeights } from './node-heights.ts';

export type NetworkHeadsDeps = {
  /** The nodes whose word counts, in their order: those of the operator that are not cordoned, or a single node. They may change. */
  readonly nodes: () => readonly AskedNode[];
  /** The newest block that a node is known to have. */
  readonly heightOf: (nodeId: string) => number | undefined;
  /** Notes what a node has. */
  readonly noteHead: (nodeId: string, height: number) => void;
  /** Blocks after which one is final where nodes do not tell it. */
  readonly confirmations: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
};

export type OpenedHeads = NetworkHeads & {
  /** Nothing is asked or told any more. */
  readonly close: () => void;
};

/** A head is fresh for the time of a block, within these bounds. */
const freshMs = { min: 1_000, max: 12_000 } as const;
/** A quarter of the time of a block, within these bounds; `irregular`: where blocks come at any time. */
const pollMs = { min: 250, max: 3_000, irregular: 1_000 } as const;
/** While a node tells its heads by itself. */
const checkMs = 5_000;
/** When no block has come for two block times, or this, the other nodes are asked whether they have one. */
const standstillMs = 3_000;
/** While a question for the head takes this long, the nodes that lack the reported head are asked for theirs: the followed node may hang. */
const slowLookMs = 250;
/** A reported head that no node confirms for so long is given up. */
const unconfirmedMs = 30_000;
/** While no node tells its head. */
const failing = { firstMs: 250, maxMs: 5_000 } as const;

export function createNetworkHeads(deps: NetworkHeadsDeps): OpenedHeads {
  const { clock, timerWheel } = deps;
  const headNodes = new WeakMap<AskedNode, HeadNode>();
  const nodes = () => deps.nodes().map(headNodeOf);
  const followers = new Set<HeadsFollower>();
  const observers = new Set<HeadsFollower>();
  /** Followers who came while the head was old: they follow from the first head that is seen. */
  const waiting = new Set<HeadsFollower>();
  let reported: number | undefined;
  /** A reported head above the followed one, and since when it is. */
  let unconfirmed: { readonly height: number; readonly sinceMs: number } | undefined;
  let failures = 0;
  /** When nodes are asked again after none told its head. */
  let nextTryMs = 0;
  /** The hash of the head when nodes were last asked for theirs, and when they are asked again although it has not changed. */
  let newest = '';
  let nextCheckMs = 0;
  let isClosed = false;
  let looking: Promise<boolean> | undefined;

  const heights = createNodeHeights(deps.heightOf, deps.noteHead);
  const tracker = createHeadTracker({
    ...{ nodes, clock, noteHead: heights.note, claimOf: heights.claimOf },
    isFollowed: () => followers.size > 0,
    changed(change, tip) {
      restarted(tip.number);
      for (const each of [...followers, ...observers]) each.changed(change);
    },
    lost(tip) {
      restarted(tip.number);
      for (const each of [...followers, ...observers]) each.lost();
    },
  });
  const { chain } = tracker;
  const final = createFinalHeight(chain, clock, deps.confirmations);
  const feed = createHeadsFeed({
    ...{ clock, timerWheel },
    take: (node, block) => (isClosed ? Promise.resolve(false) : tracker.take(node, block)),
    taken: caughtUp,
    look: () => void look(),
  });
  const pace = createHeadPace({
    ...{ clock, timerWheel },
    intervalMs() {
      if (failures > 0) return backOffMs(failing, Math.min(failures, 8));
      const blockMs = chain.blockTimeMs();
      if (feed.isAlive()) return checkMs;
      if (blockMs === undefined) return pollMs.irregular;
      return Math.min(pollMs.max, Math.max(pollMs.min, blockMs / 4));
    },
    isFollowed: () => followers.size + waiting.size > 0,
    look,
    ended: feed.stop,
  });

  function headNodeOf(node: AskedNode): HeadNode {
    const known = headNodes.get(node);
    if (known !== undefined) return known;
    const made = createHeadNode(node, timerWheel);
    headNodes.set(node, made);
    return made;
  }

  /** The chain may have gone back. */
  function restarted(height: number): void {
    if (reported !== undefined && reported > height) reported = height;
    const finalNow = final.current();
    if (finalNow !== undefined && finalNow > height) final.forget();
  }

  /** The node that showed a head may be gone for good, and on a chain that stands still no other has it. */
  function giveUpUnconfirmed(): void {
    const head = tracker.head();
    if (head === undefined || reported === undefined || reported <= head.number) {
      unconfirmed = undefined;
      return;
    }
    const now = clock.monotonic();
    if (unconfirmed?.height !== reported) unconfirmed = { height: reported, sinceMs: now };
    if (now - unconfirmed.sinceMs >= unconfirmedMs) reported = head.number;
  }

  function caughtUp(): void {
    giveUpUnconfirmed();
    const all = nodes();
    final.keepUp(all);
    const head = tracker.head();
    if (head === undefined || all.length < 2) return;
    const now = clock.monotonic();
    const isUnchanged = head.hash === newest && now >= nextCheckMs;
    if (head.hash !== newest || isUnchanged) nextCheckMs = now + Math.max(standstillMs, 2 * (chain.blockTimeMs() ?? 0));
    newest = head.hash;
    heights.keepUp(all, isUnchanged ? head.number + 1 : head.number);
  }

  /** Until the returned function is called. */
  function askOthersMeanwhile(): () => void {
    let deadline = timerWheel.arm(slowLookMs, ask);
    function ask(): void {
      deadline = timerWheel.arm(slowLookMs, ask);
      const height = Math.max(tracker.head()?.number ?? -1, reported ?? -1);
      if (!isClosed && height >= 0) heights.keepUp(nodes(), height);
    }
    return () => timerWheel.disarm(deadline);
  }

  function look(): Promise<boolean> {
    if (looking !== undefined) return looking;
    const stopAsking = askOthersMeanwhile();
    looking = tracker.look().then((isSeen) => {
      looking = undefined;
      stopAsking();
      failures = isSeen ? 0 : failures + 1;
      if (!isSeen && !tracker.isLate()) nextTryMs = clock.monotonic() + backOffMs(failing, Math.min(failures, 8));
      if (isClosed || !isSeen) return isSeen;
      for (const each of waiting) followers.add(each);
      waiting.clear();
      caughtUp();
      if (followers.size > 0) void tracker.recall();
      if (pace.isRunning()) feed.follow(tracker.source());
      return true;
    });
    return looking;
  }

  function isFresh(): boolean {
    const blockMs = chain.blockTimeMs() ?? 0;
    const ageMs = clock.monotonic() - tracker.seenAtMs();
    return ageMs <= Math.min(freshMs.max, Math.max(freshMs.min, blockMs));
  }

  return {
    head: tracker.head,
    isFresh() {
      pace.want();
      return isFresh();
    },
    finalHeight: final.current,
    hashAt: (height) => chain.at(height)?.hash,
    heightOf(nodeId) {
      for (const each of deps.nodes()) if (each.nodeId === nodeId) return deps.heightOf(nodeId);
      return undefined;
    },
    reportedHeight: () => reported,
    noteReported(height) {
      const head = tracker.head();
      if (head === undefined || (reported !== undefined && height <= reported)) return;
      const max = Math.min(height, head.number + 1);
      if (reported === undefined || max > reported) reported = max;
    },
    async refresh() {
      if (isClosed) return undefined;
      pace.want();
      // While no node tells its head, not every call waits for that.
      if (failures > 0 && looking === undefined && clock.monotonic() < nextTryMs) return undefined;
      return (await look()) ? tracker.head() : undefined;
    },
    follow(follower) {
      // The same object may be given twice.
      const own = { ...follower };
      const isOld = !isFresh();
      (isOld ? waiting : followers).add(own);
      pace.start();
      // A reorganisation can come before the next look, and reach below the only block that is known.
      if (isOld) void look();
      else void tracker.recall();
      return () => {
        waiting.delete(own);
        followers.delete(own);
      };
    },
    observe(follower) {
      const own = { ...follower };
      observers.add(own);
      return () => void observers.delete(own);
    },
    close() {
      isClosed = true;
      pace.close();
      feed.stop();
      followers.clear();
      waiting.clear();
      observers.clear();
    },
  };
}
