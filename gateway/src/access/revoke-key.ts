/** Revokes an API key; from the moment it has answered, the key fails on this node. */

import type { Clock } from '../platform/clock.ts';
import { ok, type Result, refused } from '../platform/result.ts';
import { isKeyId } from './api-key.ts';
import type { ApiKeyStore, RevokeOutcome } from './api-key-store.ts';
import type { KeyVerifier } from './verify-key.ts';

export type RevokeKeyParts = {
  readonly store: Pick<ApiKeyStore, 'revoke'>;
  readonly verifier: Pick<KeyVerifier, 'forget'>;
  readonly clock: Clock;
};

/** Again is fine and changes nothing. `not-found`: unknown, or another user's. Throws `Unavailable` when the store is away; it may be revoked then, or not. */
export async function revokeKey(
  parts: RevokeKeyParts,
  ownerId: string,
  keyId: string,
): Promise<Result<undefined, 'not-found'>> {
  const absent = refused('not-found', 'no such API key');
  if (!isKeyId(keyId)) return absent;
  let outcome: RevokeOutcome | 'unknown' = 'unknown';
  try {
    outcome = await parts.store.revoke(ownerId, keyId, parts.clock.now());
  } finally {
    // Also when the store did not answer: the write may have come through. Not for strangers: they must not empty others' cache.
    if (outcome !== 'absent') parts.verifier.forget(keyId);
  }
  return outcome === 'absent' ? absent : ok(undefined);
}
