/** A clock and its timers that the test advances. Between two timers every promise that can settle settles. */

import { createTimerWheel } from '@flowgate/async/timer-wheel';

export function createManualTime(tickMs = 10) {
  let nowMs = 1_000;
  let planned: { atMs: number; run: () => void } | undefined;
  const clock = { now: () => 1_800_000_000_000 + nowMs, monotonic: () => nowMs };
  const timerWheel = createTimerWheel(clock, tickMs, (ms, run) => {
    const plan = { atMs: nowMs + ms, run };
    planned = plan;
    return () => {
      if (planned === plan) planned = undefined;
    };
  });

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  }

  return {
    clock,
    timerWheel,
    settle,
    /** Whether no timer is armed. */
    isSleeping: () => planned === undefined,
    async pass(ms: number): Promise<void> {
      const untilMs = nowMs + ms;
      await settle();
      while (planned !== undefined && planned.atMs <= untilMs) {
        const { atMs, run } = planned;
        planned = undefined;
        nowMs = Math.max(nowMs, atMs);
        run();
        await settle();
      }
      nowMs = untilMs;
    },
  };
}
