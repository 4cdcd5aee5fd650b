/** The storage interface of the limits that all nodes share. Every engine passes `limits/rate-limiter.contract.ts`. */

import type { Admission } from '../api/rate-limiter.ts';

export type AdmissionStore = {
  /** 0 while the storage is unavailable, so that no one waits for it. Otherwise a number that changes with each connection: earlier counts may be lost. */
  readonly epoch: () => number;
  /**
   * Decides all limits of a request over all nodes, by the storage's clock, in one atomic operation: all or nothing. Times are that clock's. Rejects with
   * `Unavailable` within a bounded time; the request may then have been counted or not, and is never sent again.
   */
  readonly admit: (userId: string, cost: number, sessionId?: string) => Promise<Admission>;
};
