/** A clock and a timer wheel whose time passes faster than ours, for tests of what waits for seconds while real bytes go over real sockets. */

import { createTimerWheel, type TimerWheel } from '@flowgate/async/timer-wheel';
import { type Clock, systemClock } from '@flowgate/base/clock';

/** `times`: how many of its seconds pass in one of ours. */
export function acceleratedTime(times: number): { readonly clock: Clock; readonly timerWheel: TimerWheel } {
  const clock: Clock = {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic() * times,
  };
  const schedule = (ms: number, run: () => void) => {
    // Real time: what the wheel waits for is as much shorter.
    const timer = setTimeout(run, ms / times);
    return () => clearTimeout(timer);
  };
  return { clock, timerWheel: createTimerWheel(clock, 10, schedule) };
}
