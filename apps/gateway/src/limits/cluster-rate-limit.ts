/** Limits over all nodes through a shared store, and by this node alone while the store is unavailable: never unlimited, never an error (contract/limits#shared-counters). */

import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Admission, RateLimiter } from '../api/rate-limiter.ts';
import type { AdmissionStore } from './admission-store.ts';
import { type NodeRateLimiter, windowMs as productionWindowMs } from './rate-limit.ts';

export type ClusterRateLimitDeps = {
  readonly store: AdmissionStore;
  /** Counts each request that this gateway admits, so that no 60 s contain more than the limit from here. */
  readonly node: NodeRateLimiter;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Other than 60 s only in tests. */
  readonly windowMs?: number;
};

/**
 * The store may not know everything that this node admitted: it was unavailable, or came back with another connection. Then for one window both must agree, the
 * store's count and this node's. So any 60 s hold at most the limit while the store is available, and at most the limit times the number of nodes around an outage.
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
    // This node's own admissions: the store's count can only be higher.
    peek: node.peek,
    admit(userId, cost, sessionId) {
      const current = store.epoch();
      if (current === 0) return alone(userId, cost, sessionId);
      if (current !== epoch) {
        // Nothing was admitted before the first connection: `alone` would have begun the doubt.
        if (epoch !== 0) doubt();
        epoch = current;
      }
      return clock.monotonic() < unknownUntilMs ? both(userId, cost, sessionId) : together(userId, cost, sessionId);
    },
  };
}
