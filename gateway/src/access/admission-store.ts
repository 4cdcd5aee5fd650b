/** What limits that all nodes share need from storage. Every engine passes `test/contracts/rate-limiter-contract.ts`. */

import type { Admission } from '../api/rate-limiter.ts';

export type AdmissionStore = {
  /** 0 while the storage is unavailable, so that nobody waits for it; otherwise a number that changes with each connection: what was counted before may be lost. */
  readonly epoch: () => number;
  /**
   * Decides all limits of a request together, over all nodes and by the storage's clock, in one atomic act: all or nothing. Times are that clock's. Rejects with
   * `Unavailable` within a bounded time; the request may have been counted then, or not, and is never sent again.
   */
  readonly admit: (userId: string, cost: number, sessionId?: string) => Promise<Admission>;
};
