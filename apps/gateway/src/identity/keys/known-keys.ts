/** What this node knows of API keys: the cache, the look-ups in progress, and the only way to invalidate both. */

import type { KeyChangeListener } from '../../api/authenticator.ts';
import type { ApiKeyRecord, ApiKeyStore } from './api-key-store.ts';
import type { KeyCache, KeyEntry, Moment } from './key-cache.ts';

type LookUp = { entry: Promise<KeyEntry | undefined>; isStale: boolean };

export class KnownKeys {
  readonly #lookUps = new Map<string, LookUp>();
  readonly #listeners = new Set<KeyChangeListener>();
  #changes = 0;

  constructor(readonly cache: KeyCache) {}

  /** How often something was invalidated. While it is unchanged, earlier verifications are valid. */
  get changes(): number {
    return this.#changes;
  }

  /** Calls `listener` with each key after its invalidation; the returned function stops that. */
  onChange(listener: KeyChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The key's owner, if the cache has the key. */
  ownerOf(keyId: string): string | undefined {
    return this.cache.get(keyId, this.cache.clock.now())?.record.ownerId;
  }

  /**
   * Invalidates a key: after a mint, a revocation, or another node's message about one. The result of a look-up that began earlier is discarded, and its
   * waiting callers receive a new one.
   */
  forget(keyId: string): void {
    this.#changes += 1;
    this.cache.forget(keyId);
    const lookUp = this.#lookUps.get(keyId);
    if (lookUp !== undefined) {
      lookUp.isStale = true;
      this.#lookUps.delete(keyId);
    }
    for (const listener of this.#listeners) listener(keyId);
  }

  /** `forget` for every key: messages of other nodes may have been missed. */
  forgetAll(): void {
    this.#changes += 1;
    this.cache.forgetAll();
    for (const lookUp of this.#lookUps.values()) lookUp.isStale = true;
    this.#lookUps.clear();
    for (const listener of this.#listeners) listener(undefined);
  }

  /**
   * Looks a key up in `store` and caches it. Concurrent callers share one look-up for each key. `conclude` is called in the turn of the event loop in which a
   * valid result arrives. Rejects when the store does.
   */
  async lookUp<Conclusion>(
    store: Pick<ApiKeyStore, 'find'>,
    keyId: string,
    conclude: (entry: KeyEntry | undefined) => Conclusion,
  ): Promise<Conclusion> {
    for (;;) {
      const lookUp = this.#lookUps.get(keyId) ?? this.#begin(store, keyId);
      const entry = await lookUp.entry;
      if (!lookUp.isStale) return conclude(entry);
    }
  }

  #begin(store: Pick<ApiKeyStore, 'find'>, keyId: string): LookUp {
    const lookUp: LookUp = { entry: Promise.resolve(undefined), isStale: false };
    this.#lookUps.set(keyId, lookUp);
    lookUp.entry = this.#find(store, keyId, lookUp);
    return lookUp;
  }

  async #find(store: Pick<ApiKeyStore, 'find'>, keyId: string, lookUp: LookUp): Promise<KeyEntry | undefined> {
    const asOf = this.cache.moment();
    try {
      const record = await store.find(keyId);
      const entry = record === undefined ? undefined : entryOf(record, asOf);
      if (!lookUp.isStale) {
        if (entry === undefined) this.cache.putUnknown(keyId, asOf);
        else this.cache.put(entry);
      }
      return entry;
    } finally {
      if (!lookUp.isStale) this.#lookUps.delete(keyId);
    }
  }
}

function entryOf(record: ApiKeyRecord, asOf: Moment): KeyEntry {
  const caller = { userId: record.ownerId, via: 'api-key', keyId: record.keyId, roles: [] } as const;
  const { expiresAtMs } = record;
  return { record, asOf, valid: { kind: 'valid', caller, expiresAtMs }, verifiedRaw: undefined };
}
