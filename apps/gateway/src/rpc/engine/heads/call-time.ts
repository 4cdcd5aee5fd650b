/** The time of a call. It includes all questions to nodes on behalf of the call, such as repeated calls and checks of the head. */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';

export type TimeDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
  /** Milliseconds for a call without a time limit of its own. */
  readonly timeoutMs: number;
};

/** The deadline of a call or batch that arrives now, in milliseconds of the monotonic clock. */
export function endOf({ clock, timeoutMs }: TimeDeps, terms: { readonly timeoutMs?: number | undefined }): number {
  return clock.monotonic() + Math.min(terms.timeoutMs ?? timeoutMs, timeoutMs);
}

/** Resolves as `work` does, or with `late` at that time. `work` never rejects. */
export function within<Value>({ clock, timerWheel }: TimeDeps, endMs: number, work: Promise<Value>, late: Value) {
  return new Promise<Value>((resolve) => {
    const deadline = timerWheel.arm(Math.max(0, endMs - clock.monotonic()), () => resolve(late));
    void work.then((value) => {
      timerWheel.disarm(deadline);
      resolve(value);
    });
  });
}
