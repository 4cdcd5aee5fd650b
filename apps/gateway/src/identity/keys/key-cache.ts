/** A bounded cache of keys, each entry at most `ttlMs` old. Unknown keyIds are cached separately, so that they never evict real keys. */

import { BoundedMap } from '@flowgate/async/bounded-map';
import type { Clock } from '@flowgate/base/clock';
import type { ApiKeyRecord } from './api-key-store.ts';
import type { Verification } from './verification.ts';

/** When a look-up began, by both clocks: the monotonic clock ignores clock changes, the wall clock continues while the machine is suspended. */
export type Moment = { readonly monotonicMs: number; readonly wallMs: number };

export type KeyEntry = {
  readonly record: ApiKeyRecord;
  /** When the look-up of the record began: its age counts from then. */
  readonly asOf: Moment;
  /** The answer for a right secret, built once. */
  readonly valid: Verification;
  /** The raw key whose secret was verified against this record's digest. */
  verifiedRaw: string | undefined;
};

export type KeyCacheLimits = {
  /** 60,000 at most (contract/limits). */
  readonly ttlMs: number;
  readonly maxKeys: number;
  readonly unknownTtlMs: number;
  readonly maxUnknown: number;
};

export const defaultKeyCacheLimits: KeyCacheLimits = {
  ttlMs: 60_000,
  maxKeys: 100_000,
  unknownTtlMs: 5_000,
  maxUnknown: 10_000,
};

/** Expired entries that each new entry removes: more than one, so that memory shrinks. */
const pastRemovedAtOnce = 2;

export class KeyCache {
  readonly #keys: BoundedMap<string, KeyEntry>;
  readonly #unknown: BoundedMap<string, Moment>;
  readonly #limits: KeyCacheLimits;

  constructor(
    readonly clock: Clock,
    limits: Partial<KeyCacheLimits> = {},
  ) {
    const merged = { ...defaultKeyCacheLimits, ...limits };
    this.#limits = {
      ...merged,
      ttlMs: Math.min(merged.ttlMs, 60_000),
      unknownTtlMs: Math.min(merged.unknownTtlMs, merged.ttlMs),
    };
    this.#keys = new BoundedMap(merged.maxKeys);
    this.#unknown = new BoundedMap(merged.maxUnknown);
  }

  get size(): number {
    return this.#keys.size;
  }

  get unknownSize(): number {
    return this.#unknown.size;
  }

  moment(): Moment {
    return { monotonicMs: this.clock.monotonic(), wallMs: this.clock.now() };
  }

  /** The entry, if both clocks say that it is not too old. `wallMs` is the current wall time, which every caller already has. */
  get(keyId: string, wallMs: number): KeyEntry | undefined {
    const entry = this.#keys.get(keyId);
    return entry !== undefined && this.#isYoung(entry.asOf, this.#limits.ttlMs, wallMs) ? entry : undefined;
  }

  isUnknown(keyId: string, wallMs: number): boolean {
    const asOf = this.#unknown.get(keyId);
    return asOf !== undefined && this.#isYoung(asOf, this.#limits.unknownTtlMs, wallMs);
  }

  put(entry: KeyEntry): void {
    const { keyId } = entry.record;
    this.#unknown.delete(keyId);
    this.#keys.set(keyId, entry);
    const wallMs = this.clock.now();
    for (let removed = 0; removed < pastRemovedAtOnce; removed++) {
      const { oldest } = this.#keys;
      if (oldest === undefined || this.#isYoung(oldest.value.asOf, this.#limits.ttlMs, wallMs)) break;
      this.#keys.delete(oldest.key);
    }
  }

  putUnknown(keyId: string, asOf: Moment): void {
    this.#keys.delete(keyId);
    this.#unknown.set(keyId, asOf);
  }

  forget(keyId: string): void {
    this.#keys.delete(keyId);
    this.#unknown.delete(keyId);
  }

  forgetAll(): void {
    this.#keys.clear();
    this.#unknown.clear();
  }

  #isYoung(asOf: Moment, ttlMs: number, wallMs: number): boolean {
    return this.clock.monotonic() - asOf.monotonicMs < ttlMs && wallMs - asOf.wallMs < ttlMs;
  }
}
