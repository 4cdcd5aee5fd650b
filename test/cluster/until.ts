/** Polls for a state with a deadline, for cluster tests. */

import { until as untilHolds } from '@flowgate/testing/until';

/** Like `fixtures/until.ts`, but a probe that throws counts as false, because the process that it calls may be down. */
export const until = (
  what: string,
  probe: () => boolean | Promise<boolean>,
  withinMs = 30_000,
  everyMs = 20,
): Promise<void> =>
  untilHolds(
    what,
    async () => {
      try {
        return await probe();
      } catch {
        return false;
      }
    },
    withinMs,
    everyMs,
  );
