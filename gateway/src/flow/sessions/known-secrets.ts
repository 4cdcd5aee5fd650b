/** Which secrets a user has submitted to an app: remembered before the app gets them, looked for in all that it shows from then on (docs/decisions/0048). */

import type { Clock } from '../../platform/clock.ts';
import { createTextHasher, isKept, type MarkKey, markOf, noSecrets, type SecretScan } from '../answers/secret-mark.ts';
import type { SecretMarkStore } from './secret-mark-store.ts';

/** Marks of one user with one app; the oldest are forgotten for new ones. */
const mostKeptMarks = 500;

export type KnownSecrets = {
  /** All that were submitted before. Throws `Unavailable`. */
  readonly of: (userId: string, appId: string) => Promise<SecretScan>;
  /** The same with these, which are remembered. Throws `Unavailable`: then the app must not get them. */
  readonly and: (userId: string, appId: string, submitted: readonly string[]) => Promise<SecretScan>;
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
    async and(userId, appId, submitted) {
      const known = await of(userId, appId);
      if (submitted.length === 0) return known;
      const keys = keysOf(userId, appId);
      const fresh = marksOf(keys, submitted);
      const there = new Set(known.marks);
      const added = fresh.filter((mark) => isKept(mark) && !there.has(mark));
      if (added.length > 0) await store.remember({ userId, appId }, added, clock.now(), mostKeptMarks);
      return { keys, marks: [...new Set([...fresh, ...known.marks])] };
    },
  };
}

function marksOf([key]: readonly MarkKey[], texts: readonly string[]): readonly string[] {
  if (key === undefined) throw new Error('at least one pepper is needed');
  const hasher = createTextHasher(key);
  return texts.flatMap((text) => markOf(key, hasher, text) ?? []);
}
