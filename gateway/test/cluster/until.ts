/** Polls with a deadline: how a cluster test waits for anything. */

import { until as untilHolds } from '../fixtures/until.ts';

/** As `fixtures/until.ts`, but a probe that throws does not hold: what it asks may be down. */
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
