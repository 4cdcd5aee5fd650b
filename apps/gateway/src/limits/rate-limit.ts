/** Exact sliding-window limits for one process: a log of admitted times for each identity (contract/limits#windows). */

import type { Clock } from '@flowgate/base/clock';
import type { Admission, RateLimiter } from '../api/rate-limiter.ts';
import { AdmissionLog } from './admission-log.ts';
import type { LimitOverrides } from './user-limits.ts';

export const windowMs = 60_000;

/** The limits of one process. It can also count requests that the shared store admitted. */
export type NodeRateLimiter = Omit<RateLimiter, 'admit'> & {
  readonly admit: (userId: string, cost: number, sessionId?: string) => Admission;
  /** Counts a request that was admitted elsewhere, even beyond the limit. */
  readonly record: (userId: string, cost: number, sessionId?: string) => void;
  /** Like `admit`. `cancel` removes the request from the count if it was admitted. */
  readonly reserve: (
    userId: string,
    cost: number,
    sessionId?: string,
  ) => { readonly admission: Admission; readonly cancel: () => void };
};

export type RateLimitOptions = {
  readonly userPerMinute: number;
  readonly sessionPerMinute: number;
  /** Limits of single users; they take precedence over the configured ones. */
  readonly overrides?: LimitOverrides;
  readonly clock: Clock;
  /** Default 60 s. Only tests set another value. */
  readonly windowMs?: number;
};

export function createRateLimiter(options: RateLimitOptions): NodeRateLimiter {
  const { overrides, clock } = options;
  const userLimit = (userId: string) => overrides?.of(userId)?.userPerMinute ?? options.userPerMinute;
  const sessionLimit = (userId: string) => overrides?.of(userId)?.sessionPerMinute ?? options.sessionPerMinute;
  const users = new AdmissionLog(options.windowMs ?? windowMs);
  const sessions = new AdmissionLog(options.windowMs ?? windowMs);
  // One window per pair of user and session: another user who learned a session id cannot spend its limit. The length marks where the user id ends, because
  // callers choose the session id.
  const sessionOf = (userId: string, sessionId: string, now: number) =>
    sessions.of(`${userId.length} ${userId} ${sessionId}`, now);

  function admitAt(now: number, userId: string, cost: number, sessionId: string | undefined): Admission {
    const user = users.of(userId, now);
    const userPerMinute = userLimit(userId);
    if (sessionId === undefined) {
      const waitMs = user.waitFor(cost, userPerMinute, now);
      if (waitMs === 0) user.add(cost, now);
      return admissionOf(user, userPerMinute, waitMs, now, clock);
    }
    const session = sessionOf(userId, sessionId, now);
    const sessionPerMinute = sessionLimit(userId);
    const userWaitMs = user.waitFor(cost, userPerMinute, now);
    const sessionWaitMs = session.waitFor(cost, sessionPerMinute, now);
    const waitMs = Math.max(userWaitMs, sessionWaitMs);
    if (waitMs === 0) {
      user.add(cost, now);
      session.add(cost, now);
    }
    const sessionIsTighter =
      waitMs > 0 ? sessionWaitMs > userWaitMs : sessionPerMinute - session.size < userPerMinute - user.size;
    return sessionIsTighter
      ? admissionOf(session, sessionPerMinute, waitMs, now, clock)
      : admissionOf(user, userPerMinute, waitMs, now, clock);
  }

  return {
    userLimit,
    peek(userId, cost) {
      const now = clock.monotonic();
      const user = users.of(userId, now);
      const limit = userLimit(userId);
      return admissionOf(user, limit, user.waitFor(cost, limit, now), now, clock);
    },
    admit: (userId, cost, sessionId) => admitAt(clock.monotonic(), userId, cost, sessionId),
    record(userId, cost, sessionId) {
      const now = clock.monotonic();
      users.of(userId, now).record(cost, now);
      if (sessionId !== undefined) sessionOf(userId, sessionId, now).record(cost, now);
    },
    reserve(userId, cost, sessionId) {
      const now = clock.monotonic();
      const admission = admitAt(now, userId, cost, sessionId);
      const cancel = () => {
        if (!admission.admitted) return;
        users.of(userId, now).remove(cost, now);
        if (sessionId !== undefined) sessionOf(userId, sessionId, now).remove(cost, now);
      };
      return { admission, cancel };
    },
  };
}

type Window = ReturnType<AdmissionLog['of']>;

export function admissionOf(window: Window, limit: number, waitMs: number, now: number, clock: Clock): Admission {
  return {
    admitted: waitMs === 0,
    limit,
    remaining: Math.max(0, limit - window.size),
    resetAtMs: clock.now() + window.untilOldestLeaves(now),
    retryAfterMs: waitMs,
  };
}
