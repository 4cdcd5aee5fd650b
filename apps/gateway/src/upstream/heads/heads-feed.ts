/** Follows the heads that a node tells by itself, where it does: one node at a time, and what it tells is judged like an answer. */

import { backOffMs } from '@flowgate/async/back-off';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import type { HeadNode } from './head-node.ts';
import { type ReadBlock, readBlock } from './read-block.ts';

export type HeadsFeed = {
  /** Whether a node tells its heads now. */
  readonly isAlive: () => boolean;
  /** This node from now on, if it can; undefined: none. */
  readonly follow: (node: HeadNode | undefined) => void;
  readonly stop: () => void;
};

export type HeadsFeedDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
  /** Whether the block is the head now. */
  readonly take: (node: HeadNode, block: ReadBlock) => Promise<boolean>;
  /** A head was taken. */
  readonly taken: () => void;
  /** To be called when what was told does not say what the head is. */
  readonly look: () => void;
};

/** A node that did not subscribe, or ended the subscription, is asked again after so long; the longer, the more often that was in a row. */
const pauses = { firstMs: 1_000, maxMs: 30_000 } as const;
/** A node that tells its heads is kept for so long, also when another one was asked meanwhile. */
const keptMs = 5_000;
/** A subscription that lasts so long was a good one. */
const goodMs = 60_000;
/** Heads that wait to be judged. More of them are dropped: the newest connects to what is known by its parents. */
const maxWaiting = 32;

export function createHeadsFeed({ clock, timerWheel, take, taken, look }: HeadsFeedDeps): HeadsFeed {
  let followed: HeadNode | undefined;
  let isAlive = false;
  let waiting = 0;
  let failures = 0;
  /** When the subscription began. */
  let sinceMs = 0;
  /** What belongs to an earlier subscription is void. */
  let era = 0;
  let end = () => {};

  function stop(): void {
    era++;
    followed = undefined;
    isAlive = false;
    const ending = end;
    end = () => {};
    ending();
  }

  async function notified(node: HeadNode, block: ReadBlock | undefined, begun: number): Promise<void> {
    if (block === undefined || waiting >= maxWaiting) return;
    waiting++;
    const isHead = await take(node, block);
    waiting--;
    if (era !== begun) return;
    if (isHead) taken();
    else look();
  }

  /** Asks this node again later, unless another one is followed. */
  function pause(node: HeadNode): void {
    stop();
    followed = node;
    failures++;
    const deadline = timerWheel.arm(backOffMs(pauses, Math.min(failures, 8)), () => {
      if (followed === node) stop();
    });
    end = () => timerWheel.disarm(deadline);
  }

  async function subscribe(node: HeadNode): Promise<void> {
    const begun = era;
    const cancel = await node.feed?.subscribe('newHeads', {
      notified: (result) => {
        if (era === begun) void notified(node, readBlock(result), begun);
      },
      lost() {
        if (era !== begun) return;
        pause(node);
        look();
      },
    });
    if (era !== begun) return cancel?.();
    if (cancel === undefined) return pause(node);
    sinceMs = clock.monotonic();
    end = () => {
      if (clock.monotonic() - sinceMs >= goodMs) failures = 0;
      cancel();
    };
    isAlive = true;
    // What came before the subscription is not told.
    look();
  }

  return {
    isAlive: () => isAlive,
    follow(node) {
      if (node?.nodeId === followed?.nodeId && followed !== undefined) return;
      if (isAlive && clock.monotonic() - sinceMs < keptMs) return;
      stop();
      if (node?.feed === undefined) return;
      followed = node;
      void subscribe(node);
    },
    stop,
  };
}
