/** A time limit for somebody else's answer: time in which this process' own event loop stood still does not count. */

import { type Clock, systemClock } from './clock.ts';

/** A timer that fires this much late was kept from it by the event loop. */
const standstillMs = 20;

/**
 * Calls `onOver` after `ms` milliseconds, unless the result was called before. When the loop stood still for longer than a moment by then, the answer may have been waiting in a
 * socket all along: it gets as much time again as the loop took, `ms` at most, once.
 */
export function startLoopDeadline(
  ms: number,
  onOver: () => void,
  clock: Pick<Clock, 'monotonic'> = systemClock,
): () => void {
  const dueAtMs = clock.monotonic() + ms;
  let timer = setTimeout(() => {
    const lateMs = clock.monotonic() - dueAtMs;
    if (lateMs < standstillMs) onOver();
    else timer = setTimeout(onOver, Math.min(lateMs, ms));
  }, ms);
  return () => clearTimeout(timer);
}
