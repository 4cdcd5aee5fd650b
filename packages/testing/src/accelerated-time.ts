/** A clock and a timer wheel that run faster than real time, for tests of waits of seconds with real sockets. */

import { createTimerWheel, type TimerWheel } from '@flowgate/async/timer-wheel';
import { type Clock, systemClock } from '@flowgate/base/clock';

/** `times`: how many of its seconds pass in a real one. */
export function acceleratedTime(times: number): { readonly clock: Clock; readonly timerWheel: TimerWheel } {
  const clock: Clock = {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic() * times,
  };
  const schedule = (ms: number, run: () => void) => {
    // Real time: a wait of the wheel takes `1 / times` of its duration.
    const timer = setTimeout(run, ms / times);
    return () => clearTimeout(timer);
  };
  return { clock, timerWheel: createTimerWheel(clock, 10, schedule) };
}
