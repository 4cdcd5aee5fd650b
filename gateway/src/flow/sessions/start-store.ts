/** What starts with an idempotency key need from storage. Every engine passes `test/contracts/start-store-contract.ts`. */

import type { Lease } from '../../platform/coordination/lease-store.ts';
import type { StoredResponse } from './session-store.ts';

export type StartClaim =
  | { readonly kind: 'claimed'; readonly lease: Lease; readonly response?: StoredResponse }
  | { readonly kind: 'running' };

/** Every method throws `Unavailable` when the storage does not answer in time; then it may have been done or not. */
export type StartStore = {
  /** The response that `SessionStore.insert` stored under the user's key, for as long as its session is there. */
  find(userId: string, idempotencyKey: string): Promise<StoredResponse | undefined>;

  /**
   * The user's key is `holder`'s alone for `ttlMs`; of many at once one gets it, and sees the response of everybody before. `holder` is unique to the attempt; one that was told
   * `Unavailable` does not keep the key. It spares the app copies of a question; that no key makes two sessions is `SessionStore.insert`'s.
   */
  claim(userId: string, idempotencyKey: string, holder: string, ttlMs: number): Promise<StartClaim>;

  /** Holds on for `ttlMs` from now; `false` when somebody else claimed it since. */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;

  /** Lets others claim it at once; harmless when it is not held any more. */
  release(lease: Lease): Promise<void>;

  /** Removes up to `limit` claims that ended more than a minute ago. */
  forgetEnded(limit: number): Promise<void>;
};
