/** The limits that all nodes share, counted in Redis by one script. */

import { createHash } from 'node:crypto';
import { Unavailable } from '@flowgate/base/unavailable';
import { RedisLink, type RedisOptions } from '@flowgate/redis/redis-link';
import { errorReplyOf, type RedisSession } from '@flowgate/redis/redis-session';
import { warnOfEviction } from '@flowgate/redis/warn-of-eviction';
import { admissionScript } from './admission-script.ts';
import type { AdmissionStore } from './admission-store.ts';
import type { LimitOverrides } from './user-limits.ts';

export type RedisAdmissionStoreOptions = RedisOptions & {
  readonly userPerMinute: number;
  readonly sessionPerMinute: number;
  /** Limits of single users; they take precedence over the configured ones. */
  readonly overrides?: LimitOverrides;
  /** Default 60 s. Only tests set another value. */
  readonly windowMs?: number;
  /** Only tests set another script, with a clock of their own. */
  readonly script?: string;
  /** Prefix of every key. Installations that share a Redis database need different prefixes. */
  readonly namespace?: string;
};

export type RedisAdmissionStore = AdmissionStore & {
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly tried: Promise<void>;
  readonly close: () => void;
};

const productionWindowMs = 60_000;

export function createRedisAdmissionStore(options: RedisAdmissionStoreOptions): RedisAdmissionStore {
  const { userPerMinute, sessionPerMinute, overrides, script = admissionScript, namespace = 'flowgate' } = options;
  const digest = createHash('sha1').update(script).digest('hex');
  const window = String(options.windowMs ?? productionWindowMs);
  let warned = false;
  const link = new RedisLink({
    ...options,
    purpose: 'limits',
    async prove(session) {
      // Also loads the script. Fails on a replica, with a full memory or without a required permission.
      await session.send('EVAL', [script, '1', `${namespace}:probe`, '1', '1', '1'], () => undefined);
      if (!warned) await warnOfEviction(session, options.log);
      warned = true;
    },
  });

  const readerOf = (ofUser: number, ofSession: number) => (reply: unknown) => {
    const [aboutSession, remaining, resetAtMs, retryAfterMs] = integersOf(reply);
    return {
      admitted: retryAfterMs === 0,
      limit: aboutSession === 1 ? ofSession : ofUser,
      remaining,
      resetAtMs,
      retryAfterMs,
    };
  };
  /** The limits as arguments of the script, with the reader of its reply. Created once for all users without limits of their own. */
  const limitsOf = (ofUser: number, ofSession: number) => ({
    user: String(ofUser),
    session: String(ofSession),
    read: readerOf(ofUser, ofSession),
  });
  const defaults = limitsOf(userPerMinute, sessionPerMinute);

  /** Redis answers but refuses to count (a replica, full memory): the session closes, and Redis is unavailable until `prove` succeeds again. */
  function giveUp(session: RedisSession, error: unknown): never {
    if (errorReplyOf(error) !== undefined) session.close(error instanceof Error ? error.message : 'error reply');
    throw error;
  }

  return {
    tried: link.tried,
    close: () => link.close(),
    epoch: () => link.epoch,
    admit(userId, cost, sessionId) {
      const { session } = link;
      if (session === undefined) return Promise.reject(new Unavailable('redis', 'unavailable'));
      // The braces keep a user's keys on one node of a Redis Cluster.
      const own = overrides?.of(userId);
      const {
        user,
        session: ofSession,
        read,
      } = own === undefined
        ? defaults
        : limitsOf(own.userPerMinute ?? userPerMinute, own.sessionPerMinute ?? sessionPerMinute);
      const key = `${namespace}:limit:{${tagOf(userId)}}`;
      const args =
        sessionId === undefined
          ? ['1', key, window, String(cost), user]
          : ['2', key, `${key}:${sessionId}`, window, String(cost), user, ofSession];
      return session.send('EVALSHA', [digest, ...args], read).catch((error: unknown) => {
        // After a restart or SCRIPT FLUSH Redis does not know the script and runs nothing, so the second try counts the request once.
        if (errorReplyOf(error) === 'NOSCRIPT')
          return session.send('EVAL', [script, ...args], read).catch((again) => giveUp(session, again));
        return giveUp(session, error);
      });
    },
  };
}

/** A brace in the user id would end the hash tag early. */
function tagOf(userId: string): string {
  return /[{}%]/.test(userId) ? userId.replace(/[{}%]/g, encodeURIComponent) : userId;
}

function integersOf(reply: unknown): readonly [number, number, number, number] {
  if (Array.isArray(reply)) {
    const [first, second, third, fourth]: unknown[] = reply;
    if (
      typeof first === 'number' &&
      typeof second === 'number' &&
      typeof third === 'number' &&
      typeof fourth === 'number'
    )
      return [first, second, third, fourth];
  }
  throw new Unavailable('redis', 'an answer that the script does not give');
}
