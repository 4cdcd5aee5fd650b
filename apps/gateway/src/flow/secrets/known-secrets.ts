/**
 * The secrets that a user has submitted to an app. Their marks are stored before the app receives them, and the gateway searches everything that the app shows for them
 * (docs/decisions/0048).
 */

import type { Clock } from '@flowgate/base/clock';
import {
  createTextHasher,
  isStoredMark,
  type MarkKey,
  markOf,
  noSecrets,
  type SecretScan,
} from '@flowgate/flow-format/secrets/secret-mark';
import type { SecretMarkStore } from './secret-mark-store.ts';

/** Maximum number of marks for one user and app. New marks displace the oldest. */
const maxStoredMarks = 500;

/** If a mark is among this many newest ones, submitting its secret again does not write it again, because it will not be displaced soon. */
const recentMarks = maxStoredMarks / 2;

export type KnownSecrets = {
  /** The marks of everything that was submitted until now. Throws `Unavailable`. */
  readonly of: (userId: string, appId: string) => Promise<SecretScan>;
  /**
   * Stores the marks of `submitted`. Throws `Unavailable`; then the app must not receive the secrets. The returned function is `of`, plus the submitted texts that are too short
   * to be stored. Call it when the app has answered: the app may have received another secret in another session.
   */
  readonly remember: (
    userId: string,
    appId: string,
    submitted: readonly string[],
  ) => Promise<() => Promise<SecretScan>>;
};

export type KnownSecretsDeps = {
  readonly store: SecretMarkStore;
  /** The first key makes marks; all keys find them. */
  readonly keysOf: (userId: string, appId: string) => readonly MarkKey[];
  readonly clock: Pick<Clock, 'now'>;
};

export function createKnownSecrets({ store, keysOf, clock }: KnownSecretsDeps): KnownSecrets {
  const of = async (userId: string, appId: string): Promise<SecretScan> => {
    const marks = await store.find(userId, appId, maxStoredMarks);
    return marks.length === 0 ? noSecrets : { keys: keysOf(userId, appId), marks };
  };
  return {
    of,
    async remember(userId, appId, submitted) {
      if (submitted.length === 0) return () => of(userId, appId);
      const keys = keysOf(userId, appId);
      const fresh = marksOf(keys, submitted);
      const recent = new Set(await store.find(userId, appId, recentMarks));
      const added = fresh.filter((mark) => isStoredMark(mark) && !recent.has(mark));
      if (added.length > 0) await store.remember({ userId, appId }, added, clock.now(), maxStoredMarks);
      return async () => ({ keys, marks: [...new Set([...fresh, ...(await of(userId, appId)).marks])] });
    },
  };
}

function marksOf([key]: readonly MarkKey[], texts: readonly string[]): readonly string[] {
  if (key === undefined) throw new Error('at least one pepper is needed');
  const hasher = createTextHasher(key);
  return texts.flatMap((text) => markOf(key, hasher, text) ?? []);
}
