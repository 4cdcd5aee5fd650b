/** Schedules polls of the head: at intervals while the head has a follower or a recent caller, else none (contract/heads#how-often-nodes-are-polled). */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';

/** Polls continue for this long after the last request of a caller. */
const wantedForMs = 30_000;

export type HeadPace = {
  /** Whether polls are scheduled. */
  readonly isRunning: () => boolean;
  /** Records the request of a caller. Called for each RPC call, so it only sets a flag. */
  readonly want: () => void;
  /** Starts polls for a follower. */
  readonly start: () => void;
  readonly close: () => void;
};

export type HeadPaceDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
  readonly intervalMs: () => number;
  readonly isFollowed: () => boolean;
  readonly poll: () => Promise<unknown>;
  /** Called when the last poll has neither follower nor recent caller. */
  readonly ended: () => void;
};

export function createHeadPace({ clock, timerWheel, intervalMs, isFollowed, poll, ended }: HeadPaceDeps): HeadPace {
  let isWanted = false;
  let lastWantedMs = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let isClosed = false;
  let cancel = () => {};

  async function tick(): Promise<void> {
    await poll();
    if (isClosed) return;
    const now = clock.monotonic();
    if (isWanted) lastWantedMs = now;
    isWanted = false;
    if (isFollowed() || now - lastWantedMs <= wantedForMs) {
      const deadline = timerWheel.arm(intervalMs(), () => void tick());
      cancel = () => timerWheel.disarm(deadline);
    } else {
      isRunning = false;
      ended();
    }
  }

  function start(): void {
    if (isRunning || isClosed) return;
    isRunning = true;
    void tick();
  }

  return {
    isRunning: () => isRunning,
    want() {
      isWanted = true;
      if (!isRunning) start();
    },
    start,
    close() {
      isClosed = true;
      isRunning = false;
      cancel();
    },
  };
}
