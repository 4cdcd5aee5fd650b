/** Samples how late the event loop runs a timer that is due: any delay of the loop delays every request, too. */

import type { Clock } from '@flowgate/base/clock';
import type { Histogram } from './instruments.ts';

/** A longer delay is always observed, a shorter one only when a sample is due during it. */
const sampleEveryMs = 100;

/** Observes seconds. The returned function ends the sampling. */
export function sampleLoopDelay(
  delay: Pick<Histogram, 'observe'>,
  { monotonic }: Pick<Clock, 'monotonic'>,
): () => void {
  let lastMs = monotonic();
  const timer = setInterval(() => {
    const nowMs = monotonic();
    delay.observe(Math.max(0, nowMs - lastMs - sampleEveryMs) / 1000);
    lastMs = nowMs;
  }, sampleEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
