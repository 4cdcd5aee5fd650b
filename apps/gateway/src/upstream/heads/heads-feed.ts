/** Subscribes to the heads of one node at a time, if the node supports that. A pushed head is evaluated like a polled one. */

import { backOffMs } from '@flowgate/async/back-off';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import type { HeadNode } from './head-node.ts';
import { type ReadBlock, readBlock } from './read-block.ts';

export type HeadsFeed = {
  /** Whether a subscription is active. */
  readonly isAlive: () => boolean;
  /** Changes to this node if it supports subscriptions; undefined ends the subscription. */
  readonly follow: (node: HeadNode | undefined) => void;
  readonly stop: () => void;
};

export type HeadsFeedDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
  /** Resolves to true if the block is the head now. */
  readonly take: (node: HeadNode, block: ReadBlock) => Promise<boolean>;
  /** Called after a head was accepted. */
  readonly taken: () => void;
  /** Called when a notification does not show what the head is. */
  readonly poll: () => void;
};

/** Pause before the same node is asked for a subscription again; it grows with each failure in a row. */
const pauses = { firstMs: 1_000, maxMs: 30_000 } as const;
/** A subscription lasts at least this long, even if a poll was answered by another node meanwhile. */
const minFollowMs = 5_000;
/** A subscription that lasts this long resets the failures. */
const goodMs = 60_000;
/** Heads that wait to be evaluated. More are dropped: the newest head connects to the known chain through its parents. */
const maxWaiting = 32;

export function createHeadsFeed({ clock, timerWheel, take, taken, poll }: HeadsFeedDeps): HeadsFeed {
  let followed: HeadNode | undefined;
  let isAlive = false;
  let waiting = 0;
  let failures = 0;
  /** When the subscription began. */
  let sinceMs = 0;
  /** Increases with each subscription. Notifications of an earlier one are ignored. */
  let generation = 0;
  let end = () => {};

  function stop(): void {
    generation++;
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
    if (generation !== begun) return;
    if (isHead) taken();
    else poll();
  }

  /** Asks this node again later, unless another node is followed by then. */
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
    const begun = generation;
    const cancel = await node.feed?.subscribe('newHeads', {
      notified: (result) => {
        if (generation === begun) void notified(node, readBlock(result), begun);
      },
      lost() {
        if (generation !== begun) return;
        pause(node);
        poll();
      },
    });
    if (generation !== begun) return cancel?.();
    if (cancel === undefined) return pause(node);
    sinceMs = clock.monotonic();
    end = () => {
      if (clock.monotonic() - sinceMs >= goodMs) failures = 0;
      cancel();
    };
    isAlive = true;
    // A subscription does not report the blocks before it.
    poll();
  }

  return {
    isAlive: () => isAlive,
    follow(node) {
      if (node?.nodeId === followed?.nodeId && followed !== undefined) return;
      if (isAlive && clock.monotonic() - sinceMs < minFollowMs) return;
      stop();
      if (node?.feed === undefined) return;
      followed = node;
      void subscribe(node);
    },
    stop,
  };
}
