/** Follows the newest blocks of a network, or of one node, while a follower or a recent caller needs them. */

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
  /** The nodes that the operator vouches for and that are not cordoned, in configured order; or a single node. The list may change. */
  readonly nodes: () => readonly AskedNode[];
  /** The newest block that a node is known to have. */
  readonly heightOf: (nodeId: string) => number | undefined;
  /** Records the newest block that a node has. */
  readonly noteHead: (nodeId: string, height: number) => void;
  /** Depth at which a block counts as final if nodes do not support `finalized`. */
  readonly confirmations: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
};

export type OpenedHeads = NetworkHeads & {
  /** Ends all requests and notifications. */
  readonly close: () => void;
};

/** A head stays fresh for one block time, within these bounds. */
const freshMs = { min: 1_000, max: 12_000 } as const;
/** The poll interval is a quarter of the block time, within these bounds. `irregular` applies if blocks come at irregular times. */
const pollMs = { min: 250, max: 3_000, irregular: 1_000 } as const;
/** The poll interval while a node pushes its heads. */
const checkMs = 5_000;
/** If the head does not change for two block times, at least for this long, the other nodes are asked for theirs. */
const standstillMs = 3_000;
/** If a poll takes this long, the followed node may hang: nodes that lack the reported head are asked for theirs. */
const slowPollMs = 250;
/** After this time, a reported head that no node confirms is dropped. */
const unconfirmedMs = 30_000;
/** The poll interval while no node reports its head. */
const failing = { firstMs: 250, maxMs: 5_000 } as const;

export function createNetworkHeads(deps: NetworkHeadsDeps): OpenedHeads {
  const { clock, timerWheel } = deps;
  const headNodes = new WeakMap<AskedNode, HeadNode>();
  const nodes = () => deps.nodes().map(headNodeOf);
  const followers = new Set<HeadsFollower>();
  const observers = new Set<HeadsFollower>();
  /** Followers that came while the head was old. They start with the next head. */
  const waiting = new Set<HeadsFollower>();
  let reported: number | undefined;
  /** A reported head above the followed one, and the time since when it is above. */
  let unconfirmed: { readonly height: number; readonly sinceMs: number } | undefined;
  let failures = 0;
  /** The earliest time of the next poll after a poll without an answer. */
  let nextTryMs = 0;
  /** The head's hash when the other nodes were last asked, and the time to ask again if it does not change. */
  let newest = '';
  let nextCheckMs = 0;
  let isClosed = false;
  let polling: Promise<boolean> | undefined;

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
    poll: () => void poll(),
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
    poll,
    ended: feed.stop,
  });

  function headNodeOf(node: AskedNode): HeadNode {
    const known = headNodes.get(node);
    if (known !== undefined) return known;
    const made = createHeadNode(node, timerWheel);
    headNodes.set(node, made);
    return made;
  }

  /** After a rollback, reported and final height may be above the new head. */
  function restarted(height: number): void {
    if (reported !== undefined && reported > height) reported = height;
    const finalNow = final.current();
    if (finalNow !== undefined && finalNow > height) final.forget();
  }

  /** The only node that has the reported head may never return. If the chain has halted, no other node reaches that head. */
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
    final.update(all);
    const head = tracker.head();
    if (head === undefined || all.length < 2) return;
    const now = clock.monotonic();
    const isUnchanged = head.hash === newest && now >= nextCheckMs;
    if (head.hash !== newest || isUnchanged) nextCheckMs = now + Math.max(standstillMs, 2 * (chain.blockTimeMs() ?? 0));
    newest = head.hash;
    heights.update(all, isUnchanged ? head.number + 1 : head.number);
  }

  /** Asks the other nodes at intervals until the returned function is called. */
  function askOthersWhileSlow(): () => void {
    let deadline = timerWheel.arm(slowPollMs, ask);
    function ask(): void {
      deadline = timerWheel.arm(slowPollMs, ask);
      const height = Math.max(tracker.head()?.number ?? -1, reported ?? -1);
      if (!isClosed && height >= 0) heights.update(nodes(), height);
    }
    return () => timerWheel.disarm(deadline);
  }

  function poll(): Promise<boolean> {
    if (polling !== undefined) return polling;
    const stopAsking = askOthersWhileSlow();
    polling = tracker.poll().then((isSeen) => {
      polling = undefined;
      stopAsking();
      failures = isSeen ? 0 : failures + 1;
      if (!isSeen && !tracker.isNodeBehind()) nextTryMs = clock.monotonic() + backOffMs(failing, Math.min(failures, 8));
      if (isClosed || !isSeen) return isSeen;
      for (const each of waiting) followers.add(each);
      waiting.clear();
      caughtUp();
      if (followers.size > 0) void tracker.recall();
      if (pace.isRunning()) feed.follow(tracker.source());
      return true;
    });
    return polling;
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
      // While nodes fail, only one caller per interval waits for a poll.
      if (failures > 0 && polling === undefined && clock.monotonic() < nextTryMs) return undefined;
      return (await poll()) ? tracker.head() : undefined;
    },
    follow(follower) {
      // The caller may pass the same object twice; each registration is separate.
      const own = { ...follower };
      const isOld = !isFresh();
      (isOld ? waiting : followers).add(own);
      pace.start();
      // A reorganization may come before the next poll and remove the only known block.
      if (isOld) void poll();
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
