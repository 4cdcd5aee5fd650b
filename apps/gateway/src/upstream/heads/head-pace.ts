/** When the head is looked at: regularly while somebody follows it or callers have asked for it lately, and never otherwise (contract/heads#how-often-nodes-are-polled). */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';

/** For so long after the last caller asked. */
const wantedForMs = 30_000;

export type HeadPace = {
  /** Whether it is being looked at. */
  readonly isRunning: () => boolean;
  /** A caller asks: cheap. */
  readonly want: () => void;
  /** Somebody follows. */
  readonly start: () => void;
  readonly close: () => void;
};

export type HeadPaceDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
  readonly intervalMs: () => number;
  readonly isFollowed: () => boolean;
  readonly look: () => Promise<unknown>;
  /** No one wants it any more. */
  readonly ended: () => void;
};

export function createHeadPace({ clock, timerWheel, intervalMs, isFollowed, look, ended }: HeadPaceDeps): HeadPace {
  let isWanted = false;
  let lastWantedMs = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let isClosed = false;
  let cancel = () => {};

  async function tick(): Promise<void> {
    await look();
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
