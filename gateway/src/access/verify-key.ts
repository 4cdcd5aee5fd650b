/** Whether an API key is valid right now: from memory when it can be, from the store when it must be, never wrongly yes (contract/keys#verification). */

import { Unavailable } from '../platform/unavailable.ts';
import { type ApiKey, apiKeyLength, keyIdWithin, parseApiKey } from './api-key.ts';
import { constantTimeEqual, type Peppers } from './api-key-digest.ts';
import type { ApiKeyRecord, ApiKeyStore } from './api-key-store.ts';
import type { KeyCache, KeyEntry, Moment } from './key-cache.ts';
import type { LastUsed } from './last-used.ts';
import { invalidCredential, unverifiableCredential, type Verification } from './verification.ts';

export type KeyVerifier = {
  /** Synchronous when the answer is in memory: the request path must not await it then. `unavailable` when the store is needed and away. */
  verify(raw: string): Verification | Promise<Verification>;
  /**
   * Drops what is known of a key; after a mint, a revocation, or news of one from another node. Look-ups that began before are not believed any more: whoever
   * waits for one is answered by a fresh one.
   */
  forget(keyId: string): void;
  /** `forget` for every key: after news from other nodes may have been missed. */
  forgetAll(): void;
  /** How often something was forgotten: as long as this stays the same, what was verified before holds. */
  changes(): number;
};

export type KeyVerifierParts = {
  readonly store: Pick<ApiKeyStore, 'find'>;
  readonly peppers: Peppers;
  /** Brings the clock: ages and expiry are judged by the same one. */
  readonly cache: KeyCache;
  readonly lastUsed: Pick<LastUsed, 'record'>;
};

type Flight = { entry: Promise<KeyEntry | undefined>; stale: boolean };

export function createKeyVerifier({ store, peppers, cache, lastUsed }: KeyVerifierParts): KeyVerifier {
  const { clock } = cache;
  const flights = new Map<string, Flight>();
  let changes = 0;

  /** Expiry and revocation are looked at on every request, cached or not. */
  function admit(entry: KeyEntry, wallMs: number): Verification {
    const { record } = entry;
    if (record.revokedAtMs !== undefined || (record.expiresAtMs !== undefined && wallMs >= record.expiresAtMs))
      return invalidCredential;
    lastUsed.record(record.keyId, wallMs);
    return entry.valid;
  }

  /** The first right secret is checked by HMAC and remembered; any other costs an HMAC each time, as an unknown keyId does. */
  function judge(key: ApiKey, entry: KeyEntry): Verification {
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

  async function fill(keyId: string, asOf: Moment, flight: Flight): Promise<KeyEntry | undefined> {
    try {
      const record = await store.find(keyId);
      const entry = record === undefined ? undefined : entryOf(record, asOf);
      if (!flight.stale) {
        if (entry === undefined) cache.putUnknown(keyId, asOf);
        else cache.put(entry);
      }
      return entry;
    } finally {
      if (!flight.stale) flights.delete(keyId);
    }
  }

  function takeOff(keyId: string): Flight {
    const flight: Flight = { entry: Promise.resolve(undefined), stale: false };
    flights.set(keyId, flight);
    flight.entry = fill(keyId, cache.moment(), flight);
    return flight;
  }

  /** One look-up per key, however many callers wait for it. */
  async function lookUp(key: ApiKey): Promise<Verification> {
    for (;;) {
      const flight = flights.get(key.keyId) ?? takeOff(key.keyId);
      try {
        const entry = await flight.entry;
        if (!flight.stale) return entry === undefined ? refuseUnknown(key) : judge(key, entry);
      } catch (error) {
        if (error instanceof Unavailable) return unverifiableCredential;
        throw error;
      }
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
      if (entry !== undefined) return judge(key, entry);
      return cache.isUnknown(keyId, wallMs) ? refuseUnknown(key) : lookUp(key);
    },
    changes: () => changes,
    forget(keyId) {
      changes += 1;
      cache.forget(keyId);
      const flight = flights.get(keyId);
      if (flight === undefined) return;
      flight.stale = true;
      flights.delete(keyId);
    },
    forgetAll() {
      changes += 1;
      cache.forgetAll();
      for (const flight of flights.values()) flight.stale = true;
      flights.clear();
    },
  };
}

function entryOf(record: ApiKeyRecord, asOf: Moment): KeyEntry {
  const caller = { userId: record.ownerId, via: 'api-key', keyId: record.keyId, roles: [] } as const;
  return { record, asOf, valid: { kind: 'valid', caller }, verifiedRaw: undefined };
}
