/** Which secrets a user has submitted to an app: remembered before the app gets them, looked for in all that it shows from then on (docs/decisions/0048). */

import type { Clock } from '../../platform/clock.ts';
import { createTextHasher, isKept, type MarkKey, markOf, noSecrets, type SecretScan } from './secret-mark.ts';
import type { SecretMarkStore } from './secret-mark-store.ts';

/** Marks of one user with one app; the oldest are forgotten for new ones. */
const mostKeptMarks = 500;

/** Marks that are among so many newest ones are not written anew when their secret is submitted again: until they are the oldest, many more have to come. */
const recentMarks = mostKeptMarks / 2;

export type KnownSecrets = {
  /** All that were submitted until now. Throws `Unavailable`. */
  readonly of: (userId: string, appId: string) => Promise<SecretScan>;
  /**
   * Remembers these. Throws `Unavailable`: then the app must not get them. The function is `of` with those, too, that are too short to be kept. What an app has answered is to be read
   * with what is known then: it may have got another secret in another session meanwhile.
   */
  readonly remember: (
    userId: string,
    appId: string,
    submitted: readonly string[],
  ) => Promise<() => Promise<SecretScan>>;
};

export type KnownSecretsParts = {
  readonly store: SecretMarkStore;
  /** The first one makes marks. */
  readonly keysOf: (userId: string, appId: string) => readonly MarkKey[];
  readonly clock: Pick<Clock, 'now'>;
};

export function createKnownSecrets({ store, keysOf, clock }: KnownSecretsParts): KnownSecrets {
  const of = async (userId: string, appId: string): Promise<SecretScan> => {
    const marks = await store.find(userId, appId, mostKeptMarks);
    return marks.length === 0 ? noSecrets : { keys: keysOf(userId, appId), marks };
  };
  return {
    of,
    async remember(userId, appId, submitted) {
      if (submitted.length === 0) return () => of(userId, appId);
      const keys = keysOf(userId, appId);
      const fresh = marksOf(keys, submitted);
      const recent = new Set(await store.find(userId, appId, recentMarks));
      const added = fresh.filter((mark) => isKept(mark) && !recent.has(mark));
      if (added.length > 0) await store.remember({ userId, appId }, added, clock.now(), mostKeptMarks);
      return async () => ({ keys, marks: [...new Set([...fresh, ...(await of(userId, appId)).marks])] });
    },
  };
}

function marksOf([key]: readonly MarkKey[], texts: readonly string[]): readonly string[] {
  if (key === undefined) throw new Error('at least one pepper is needed');
  const hasher = createTextHasher(key);
  return texts.flatMap((text) => markOf(key, hasher, text) ?? []);
}
