import { createManualClock } from '@flowgate/testing/manual-clock';
import { rateLimiterContract } from '../../test/contracts/rate-limiter-contract.ts';
import { createRateLimiter } from './rate-limit.ts';

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
