/** Revokes an API key. From the moment this resolves, the key fails on this node. */

import type { Clock } from '@flowgate/base/clock';
import { ok, type Result, refused } from '@flowgate/base/result';
import { isKeyId } from '../../api/credential.ts';
import type { Actor } from '../../audit/audit-note.ts';
import type { ApiKeyStore, RevokeOutcome } from './api-key-store.ts';

export type RevokeKeyDeps = {
  /** `held`: not written, but refused all the same. */
  readonly store: {
    readonly revoke: (...revocation: Parameters<ApiKeyStore['revoke']>) => Promise<RevokeOutcome | 'held'>;
  };
  /** What is known of the key is out of date, here and on the other nodes. */
  readonly forget: (keyId: string) => void;
  readonly clock: Clock;
};

const bufferedText =
  'The revocation is in force and not yet written: the database is unavailable. The key is refused from now on, and the gateway writes the revocation as soon as it can. One that ends before that forgets it: send this again until it is answered 204.';

/**
 * Repeating is fine and changes nothing. `not-found`: unknown, or another user's. `unavailable`: the key is refused from now on, and the revocation is written
 * later. Throws `Unavailable` when the store is unavailable and nothing is certain: the key may be revoked or not.
 */
export async function revokeKey(
  deps: RevokeKeyDeps,
  actor: Actor,
  keyId: string,
  ownerId: string = actor.userId,
): Promise<Result<undefined, 'not-found' | 'unavailable'>> {
  const absent = refused('not-found', 'no such API key');
  if (!isKeyId(keyId)) return absent;
  let outcome: RevokeOutcome | 'held' | 'unknown' = 'unknown';
  try {
    outcome = await deps.store.revoke(ownerId, keyId, deps.clock.now(), {
      actor,
      action: 'key.revoked',
      target: keyId,
      details: { ownerId },
    });
  } finally {
    // Also when the store did not answer: the write may have been done. Not for strangers: they must not be able to empty others' cache.
    if (outcome !== 'absent') deps.forget(keyId);
  }
  if (outcome === 'held') return refused('unavailable', bufferedText);
  return outcome === 'absent' ? absent : ok(undefined);
}
