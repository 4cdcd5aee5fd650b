/** Mints an API key: checks the request, stores the digest if the owner's limit allows it, and returns the raw key once. */

import type { Clock } from '@flowgate/base/clock';
import type { RandomBytes } from '@flowgate/base/random';
import { ok, type Result, refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { Actor, AuditNote } from '../../audit/audit-note.ts';
import type { LimitOverrides } from '../../limits/user-limits.ts';
import { mintApiKey } from './api-key.ts';
import type { Peppers } from './api-key-digest.ts';
import type { ApiKeyRecord, ApiKeyStore } from './api-key-store.ts';
import { type mintedApiKey, mintedApiKeyView } from './api-key-wire.ts';
import { parseMintRequest } from './mint-request.ts';

/** Active API keys that a user without an individual limit may have (contract/limits). */
export const maxActiveKeys = 10;

export type MintKeyDeps = {
  readonly store: Pick<ApiKeyStore, 'insertIfUnder'>;
  readonly overrides?: LimitOverrides;
  /** Invalidates what this node and the other nodes know of the key. */
  readonly forget: (keyId: string) => void;
  readonly peppers: Peppers;
  readonly clock: Clock;
  /** The wall time for `createdAt`, never the same twice: keys minted in one millisecond are listed in the order of minting. */
  readonly creationTime: () => number;
  readonly randomBytes: RandomBytes;
};

/**
 * `conflict`: the owner has the maximum number of active keys. Throws `Unavailable` when the store is unavailable; the key then does not work and was
 * returned to no caller.
 */
export async function mintKey(
  deps: MintKeyDeps,
  actor: Actor,
  body: unknown,
): Promise<Result<BodyOf<typeof mintedApiKey>, 'bad-request' | 'conflict'>> {
  const nowMs = deps.clock.now();
  const request = parseMintRequest(body, nowMs);
  if (!request.ok) return request;

  const key = mintApiKey(deps.randomBytes);
  const record: ApiKeyRecord = {
    keyId: key.keyId,
    ownerId: actor.userId,
    ...request.value,
    ...deps.peppers.digest(key),
    createdAtMs: deps.creationTime(),
  };
  const limit = deps.overrides?.of(actor.userId)?.maxActiveKeys ?? maxActiveKeys;
  const stored = await deps.store.insertIfUnder(record, limit, nowMs, noteOf(actor, record));
  if (!stored) return refused('conflict', `a user can have at most ${limit} active API keys; revoke one first`);

  deps.forget(key.keyId);
  return ok(mintedApiKeyView(key.raw, record));
}

function noteOf(actor: Actor, { keyId, label, scopes, expiresAtMs }: ApiKeyRecord): AuditNote {
  const expiry = expiresAtMs === undefined ? {} : { expiresAt: new Date(expiresAtMs).toISOString() };
  return { actor, action: 'key.created', target: keyId, details: { label, scopes, ...expiry } };
}
