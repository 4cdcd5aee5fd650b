/** Ends subscriptions whose callers may not subscribe any more: policies, and who may call a registered node, change while they run (contract/subscriptions#end). */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { Deadline, TimerWheel } from '@flowgate/async/timer-wheel';
import type { RunningSubscription } from './running-subscription.ts';

/** Five seconds for a change to take effect, less what the copies of policies and nodes may be behind. */
const everyMs = 500;
const askedAtOnce = 16;

export type Permissions = { readonly start: () => void; readonly stop: () => void };

type Parts = { readonly timerWheel: TimerWheel; readonly slices: TimeSlices };

/** `all`: those that run now. */
export function askPermissions({ timerWheel, slices }: Parts, all: () => readonly RunningSubscription[]): Permissions {
  let next: Deadline | undefined;

  async function askAll(): Promise<void> {
    const own = next;
    const running = all();
    let at = 0;
    await slices.run(() => {
      for (const one of running.slice(at, at + askedAtOnce)) ask(one);
      at += askedAtOnce;
      return at >= running.length;
    });
    // Stopped meanwhile, and perhaps started again.
    if (next === own && own !== undefined) next = timerWheel.arm(everyMs, () => void askAll());
  }

  return {
    start() {
      next ??= timerWheel.arm(everyMs, () => void askAll());
    },
    stop() {
      if (next !== undefined) timerWheel.disarm(next);
      next = undefined;
    },
  };
}

/** What cannot be asked counts as no: the client begins anew, and is told why it may not. */
function ask(one: RunningSubscription): void {
  const { isPermitted } = one.subscriber;
  if (one.hasEnded || isPermitted === undefined) return;
  const endUnless = (may: boolean) => {
    if (!may) one.lose();
  };
  const answer = isPermitted();
  if (typeof answer === 'boolean') endUnless(answer);
  else answer.then(endUnless, () => one.lose());
}
