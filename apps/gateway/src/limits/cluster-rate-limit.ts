/**
 * Limits across all nodes through a shared store. While the store is unavailable this node decides alone: never unlimited, never an error
 * (contract/limits#shared-counters).
 */

import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Admission, RateLimiter } from '../api/rate-limiter.ts';
import type { AdmissionStore } from './admission-store.ts';
import { type NodeRateLimiter, windowMs as productionWindowMs } from './rate-limit.ts';

export type ClusterRateLimitDeps = {
  readonly store: AdmissionStore;
  /** Counts each request that this gateway admits, so that this gateway admits at most the limit in any 60 s. */
  readonly node: NodeRateLimiter;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Default 60 s. Only tests set another value. */
  readonly windowMs?: number;
};

/**
 * After an outage or on another connection, the store may not know every admission of this node. For one window both counts must then admit a request: the
 * store's and this node's. Any 60 s contain at most the limit while the store is available, and at most the limit times the number of nodes around an outage.
 */
export function createClusterRateLimiter({ store, node, clock, windowMs }: ClusterRateLimitDeps): RateLimiter {
  const unknownMs = windowMs ?? productionWindowMs;
  let epoch = store.epoch();
  let unknownUntilMs = Number.NEGATIVE_INFINITY;

  const doubt = () => {
    unknownUntilMs = clock.monotonic() + unknownMs;
  };

  function alone(userId: string, cost: number, sessionId?: string): Admission {
    doubt();
    return node.admit(userId, cost, sessionId);
  }

  function together(userId: string, cost: number, sessionId?: string): Promise<Admission> {
    return store.admit(userId, cost, sessionId).then(
      (admission) => {
        if (admission.admitted) node.record(userId, cost, sessionId);
        return admission;
      },
      (error: unknown) => {
        if (error instanceof Unavailable) return alone(userId, cost, sessionId);
        throw error;
      },
    );
  }

  function both(userId: string, cost: number, sessionId?: string): Admission | Promise<Admission> {
    const { admission: here, cancel } = node.reserve(userId, cost, sessionId);
    if (!here.admitted) return here;
    return store.admit(userId, cost, sessionId).then(
      (everywhere) => {
        if (!everywhere.admitted) cancel();
        return !everywhere.admitted || everywhere.remaining < here.remaining ? everywhere : here;
      },
      (error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
        doubt();
        return here;
      },
    );
  }

  return {
    userLimit: node.userLimit,
    // `peek` uses this node's own admissions: the store's count can only be higher.
    peek: node.peek,
    admit(userId, cost, sessionId) {
      const current = store.epoch();
      if (current === 0) return alone(userId, cost, sessionId);
      if (current !== epoch) {
        // Nothing was admitted before the first connection; otherwise `alone` would have called `doubt`.
        if (epoch !== 0) doubt();
        epoch = current;
      }
      return clock.monotonic() < unknownUntilMs ? both(userId, cost, sessionId) : together(userId, cost, sessionId);
    },
  };
}
