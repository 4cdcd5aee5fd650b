/** Revokes an API key. This node refuses the key from the moment the promise resolves. */

import type { Clock } from '@flowgate/base/clock';
import { ok, type Result, refused } from '@flowgate/base/result';
import { isKeyId } from '../../api/credential.ts';
import type { Actor } from '../../audit/audit-note.ts';
import type { ApiKeyStore, RevokeOutcome } from './api-key-store.ts';

export type RevokeKeyDeps = {
  /** `pending`: not yet written, but the key is refused. */
  readonly store: {
    readonly revoke: (...revocation: Parameters<ApiKeyStore['revoke']>) => Promise<RevokeOutcome | 'pending'>;
  };
  /** Invalidates what this node and the other nodes know of the key. */
  readonly forget: (keyId: string) => void;
  readonly clock: Clock;
};

const pendingText =
  'The database is unavailable: the key is refused from now on, but the revocation is not yet written. The gateway retries the write; a gateway that stops before loses it. Repeat this request until it returns 204.';

/**
 * Idempotent. `not-found`: unknown, or another user's key. `unavailable`: the key is refused from now on, and the revocation is written later. Throws
 * `Unavailable` when the store is unavailable and the outcome is unknown: the key may be revoked or not.
 */
export async function revokeKey(
  deps: RevokeKeyDeps,
  actor: Actor,
  keyId: string,
  ownerId: string = actor.userId,
): Promise<Result<undefined, 'not-found' | 'unavailable'>> {
  const absent = refused('not-found', 'no such API key');
  if (!isKeyId(keyId)) return absent;
  let outcome: RevokeOutcome | 'pending' | 'unknown' = 'unknown';
  try {
    outcome = await deps.store.revoke(ownerId, keyId, deps.clock.now(), {
      actor,
      action: 'key.revoked',
      target: keyId,
      details: { ownerId },
    });
  } finally {
    // Also when the store did not answer, because the write may have happened. Not for other users' keys: a caller must not be able to empty their cache
    // entries.
    if (outcome !== 'absent') deps.forget(keyId);
  }
  if (outcome === 'pending') return refused('unavailable', pendingText);
  return outcome === 'absent' ? absent : ok(undefined);
}
