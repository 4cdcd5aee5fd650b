/** Samples how late the event loop runs a timer that is due: whatever held it up held up every request too. */

import type { Clock } from '@flowgate/base/clock';
import type { Histogram } from './instruments.ts';

/** A pause longer than this is always seen, a shorter one as often as it lies on a sample. */
const sampleEveryMs = 100;

/** Observes seconds. Returns the function that ends it. */
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
