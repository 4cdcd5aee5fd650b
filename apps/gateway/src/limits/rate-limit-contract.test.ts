import { createManualClock } from '@flowgate/testing/manual-clock';
import { createRateLimiter } from './rate-limit.ts';
import { rateLimiterContract } from './rate-limiter.contract.ts';

rateLimiterContract(
  'one process',
  async () => {
    const clock = createManualClock();
    return {
      limiter: async (limits) => createRateLimiter({ ...limits, clock }),
      now: clock.now,
      advance: async (ms) => clock.advance(ms),
      close: async () => undefined,
    };
  },
  200,
);
