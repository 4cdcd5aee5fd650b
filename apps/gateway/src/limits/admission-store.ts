/** The storage interface of the limits that all nodes share. Every engine passes `limits/rate-limiter.contract.ts`. */

import type { Admission } from '../api/rate-limiter.ts';

export type AdmissionStore = {
  /**
   * 0 while the storage is unavailable; callers then do not wait for it. Otherwise a number that changes with each connection, because earlier counts may be
   * lost.
   */
  readonly epoch: () => number;
  /**
   * Decides all limits of a request across all nodes in one atomic operation, by the storage's clock. All times in the result are of that clock. Rejects with
   * `Unavailable` within a bounded time: the request may then have been counted or not, and is never sent again.
   */
  readonly admit: (userId: string, cost: number, sessionId?: string) => Promise<Admission>;
};
