/** The storage for starts with an idempotency key. Every engine passes `flow/sessions/start-store.contract.ts`. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { StoredResponse } from './session-store.ts';

export type StartLeaseAttempt =
  | { readonly kind: 'acquired'; readonly lease: Lease; readonly response?: StoredResponse }
  | { readonly kind: 'running' };

/** Every method throws `Unavailable` if the storage does not answer in time; the operation may then be done or not. */
export type StartStore = {
  /** The response that `SessionStore.insert` stored under the user's key, as long as its session is stored. */
  find(userId: string, idempotencyKey: string): Promise<StoredResponse | undefined>;

  /**
   * Acquires the lease on the user's key for `holder` and `ttlMs`. Of concurrent attempts one succeeds, and it sees the response that an earlier holder stored. `holder` must be
   * unique to the attempt; an attempt that threw `Unavailable` does not retain the lease. The lease avoids duplicate calls of the app; `SessionStore.insert` guarantees that a
   * key starts one session only.
   */
  acquire(userId: string, idempotencyKey: string, holder: string, ttlMs: number): Promise<StartLeaseAttempt>;

  /** Extends the lease to `ttlMs` from now; `false` if another request has acquired it since. */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;

  /** Lets others acquire the lease at once. Has no effect if this request no longer owns it. */
  release(lease: Lease): Promise<void>;

  /** Removes up to `limit` leases that ended more than a minute ago. */
  forgetEnded(limit: number): Promise<void>;
};
