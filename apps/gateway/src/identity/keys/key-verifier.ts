/** Verifies an API key: from memory if possible, otherwise from the store, and never wrongly as valid (contract/keys#verification). */

import { Unavailable } from '@flowgate/base/unavailable';
import { type ApiKey, apiKeyLength, keyIdWithin, parseApiKey } from './api-key.ts';
import { constantTimeEqual, type Peppers } from './api-key-digest.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import type { KeyEntry } from './key-cache.ts';
import type { KnownKeys } from './known-keys.ts';
import type { LastUsed } from './last-used.ts';
import { invalidCredential, unverifiableCredential, type Verification } from './verification.ts';

export type KeyVerifier = {
  /** Synchronous when the answer is in memory, so that the request path awaits nothing. `unavailable` when the store is needed and cannot be reached. */
  verify(raw: string): Verification | Promise<Verification>;
};

export type KeyVerifierDeps = {
  readonly store: Pick<ApiKeyStore, 'find'>;
  readonly peppers: Peppers;
  /** Contains the clock, so that ages and expiry are measured by the same clock. */
  readonly known: KnownKeys;
  readonly lastUsed: Pick<LastUsed, 'record'>;
};

export function createKeyVerifier({ store, peppers, known, lastUsed }: KeyVerifierDeps): KeyVerifier {
  const { cache } = known;
  const { clock } = cache;

  /** Expiry and revocation are checked on every request, cached or not. */
  function admit(entry: KeyEntry, wallMs: number): Verification {
    const { record } = entry;
    if (record.revokedAtMs !== undefined || (record.expiresAtMs !== undefined && wallMs >= record.expiresAtMs))
      return invalidCredential;
    lastUsed.record(record.keyId, wallMs);
    return entry.valid;
  }

  /** The first right secret is verified by HMAC and cached. Any other secret costs an HMAC each time, as an unknown keyId does. */
  function evaluate(key: ApiKey, entry: KeyEntry): Verification {
    if (entry.verifiedRaw === undefined || !constantTimeEqual(key.raw, entry.verifiedRaw)) {
      if (!peppers.matches(key, entry.record)) return invalidCredential;
      entry.verifiedRaw = key.raw;
    }
    return admit(entry, clock.now());
  }

  function refuseUnknown(key: ApiKey): Verification {
    peppers.matches(key, undefined);
    return invalidCredential;
  }

  async function lookUp(key: ApiKey): Promise<Verification> {
    try {
      return await known.lookUp(store, key.keyId, (entry) =>
        entry === undefined ? refuseUnknown(key) : evaluate(key, entry),
      );
    } catch (error) {
      if (error instanceof Unavailable) return unverifiableCredential;
      throw error;
    }
  }

  return {
    verify(raw) {
      if (raw.length !== apiKeyLength) return invalidCredential;
      const keyId = keyIdWithin(raw);
      const wallMs = clock.now();
      const entry = cache.get(keyId, wallMs);
      if (entry?.verifiedRaw !== undefined && constantTimeEqual(raw, entry.verifiedRaw)) return admit(entry, wallMs);
      const key = parseApiKey(raw);
      if (key === undefined) return invalidCredential;
      if (entry !== undefined) return evaluate(key, entry);
      return cache.isUnknown(keyId, wallMs) ? refuseUnknown(key) : lookUp(key);
    },
  };
}
