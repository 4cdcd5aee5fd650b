/** Measures the memory of the in-process rate limiter for a million identities, and the time of a decision among them. */

import { systemClock } from '@flowgate/base/clock';
import { createRateLimiter } from '../src/limits/rate-limit.ts';

const identities = 1_000_000;

function residentMib(): number {
  Bun.gc(true);
  return process.memoryUsage.rss() / 2 ** 20;
}

async function decide(label: string, passes: number, run: (userId: string) => unknown): Promise<void> {
  const before = Bun.nanoseconds();
  for (let pass = 0; pass < passes; pass += 1)
    for (let user = 0; user < identities; user += 1) {
      // Awaited only if it is a promise, as on the hot path.
      const admission = run(`00000000-0000-4000-8000-${user.toString().padStart(12, '0')}`);
      if (admission instanceof Promise) await admission;
    }
  const each = (Bun.nanoseconds() - before) / (passes * identities);
  console.log(`${label}: ${each.toFixed(0)} ns a decision, ${residentMib().toFixed(0)} MiB resident`);
}

const limiter = createRateLimiter({ userPerMinute: 300, sessionPerMinute: 60, clock: systemClock });
console.log(`empty: ${residentMib().toFixed(0)} MiB resident`);
await decide('a million identities, first request of each', 1, (userId) => limiter.admit(userId, 1));
await decide('nine more of each', 9, (userId) => limiter.admit(userId, 1));
