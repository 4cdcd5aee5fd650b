/** A time limit for somebody else's answer that does not count the time in which this process' own event loop stood still. */

import { type Clock, systemClock } from './clock.ts';

/** A timer that fires this much late was delayed by the event loop. */
const standstillMs = 20;

/**
 * Calls `onOver` after `ms` milliseconds, unless the returned function was called before. When the loop stood still for a noticeable time, the answer may have been
 * waiting in a socket: the limit is extended once, by as much as the loop took, at most `ms`.
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
