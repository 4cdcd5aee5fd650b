/**
 * A time limit for an answer from another process. Time in which this process' event loop was blocked does not count.
 */

import { type Clock, systemClock } from '@flowgate/base/clock';
import type { Schedule } from './timer-wheel.ts';

/** A timer that fires this much late was delayed by a blocked event loop. */
const blockedMs = 20;
/** The limit is measured in pieces, so that a blocked loop is detected anywhere in it, not only at its end. */
const pieces = 8;

type Time = { readonly clock: Pick<Clock, 'monotonic'>; readonly schedule: Schedule };

const systemTime: Time = {
  clock: systemClock,
  schedule: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Calls `onOver` after `ms` milliseconds, unless the returned function was called before. Delays of the event loop do
 * not count, up to `ms` of them in total. After a delay the loop has time to read the bytes that arrived meanwhile.
 */
export function startLoopDeadline(ms: number, onOver: () => void, { clock, schedule }: Time = systemTime): () => void {
  let leftMs = ms;
  let allowanceMs = ms;
  let stop: () => void;
  const wait = () => {
    const pieceMs = Math.min(leftMs, ms / pieces);
    const dueAtMs = clock.monotonic() + pieceMs;
    stop = schedule(pieceMs, () => {
      const lateMs = clock.monotonic() - dueAtMs;
      leftMs -= pieceMs;
      if (lateMs < blockedMs || allowanceMs <= 0) leftMs -= lateMs;
      else {
        leftMs = Math.max(leftMs, Math.min(lateMs, allowanceMs));
        allowanceMs -= lateMs;
      }
      if (leftMs <= 0) onOver();
      else wait();
    });
  };
  wait();
  return () => stop();
}
