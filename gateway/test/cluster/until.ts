/** Polls with a deadline: how a cluster test waits for anything. */

import { systemClock } from '../../src/platform/clock.ts';

/** Resolves with the milliseconds that it took; rejects after `deadlineMs`. A probe that throws does not hold. */
export async function until(
  what: string,
  probe: () => boolean | Promise<boolean>,
  deadlineMs = 30_000,
  everyMs = 20,
): Promise<number> {
  const startedMs = systemClock.monotonic();
  for (;;) {
    const holds = await Promise.resolve()
      .then(probe)
      .catch(() => false);
    const tookMs = systemClock.monotonic() - startedMs;
    if (holds) return tookMs;
    if (tookMs > deadlineMs) throw new Error(`waited ${Math.round(tookMs)} ms in vain until ${what}`);
    await Bun.sleep(everyMs);
  }
}
