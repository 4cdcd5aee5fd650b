/**
 * The policies of single users, loaded on demand: a cache that is bounded in bytes, with one look-up for each user for concurrent misses
 * (docs/decisions/0078).
 */

import { BoundedMap } from '@flowgate/async/bounded-map';
import { ExpiringMap } from '@flowgate/async/expiring-map';
import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import type { PolicyIndex } from './policy-index.ts';

/** `bytes`: the approximate memory of the index. */
export type LoadedPolicies = { readonly index: PolicyIndex; readonly bytes: number };

export type UserPoliciesDeps = {
  /** @throws Unavailable */
  readonly load: (userId: string) => Promise<LoadedPolicies>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly maxBytes?: number;
};

type Entry = LoadedPolicies & {
  /** Since when it may be out of date; undefined while it is current. */
  staleSinceMs: number | undefined;
};

type LookUp = { found: Promise<PolicyIndex | undefined>; isStale: boolean };

/** How long the last known policies are used while the store is unavailable (contract/firewall#when-the-store-is-unavailable). */
export const lastKnownMs = 60_000;
/** The pause after a failed look-up before the next one for this user. */
const failedLookUpMs = 1_000;
const defaultBytes = 67_108_864;
/** The maximum number of users whose failed look-ups are remembered. */
const maxFailed = 10_000;

export class UserPolicies {
  /** Ordered by the time of the look-up: the oldest is dropped first and looked up again when needed. */
  readonly #entries = new BoundedMap<string, Entry>(Number.POSITIVE_INFINITY);
  readonly #lookUps = new Map<string, LookUp>();
  readonly #failed: ExpiringMap<string, true>;
  #bytes = 0;

  constructor(readonly deps: UserPoliciesDeps) {
    this.#failed = new ExpiringMap(deps.clock, failedLookUpMs, maxFailed);
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The policies that are known and certain. */
  known(userId: string): PolicyIndex | undefined {
    const entry = this.#entries.get(userId);
    if (entry === undefined || entry.staleSinceMs !== undefined) return undefined;
    return entry.index;
  }

  /**
   * The user's policies have changed, or may have: results of look-ups in progress are discarded. The previous policies are retained for when the store is
   * unavailable.
   */
  forget(userId: string): void {
    const entry = this.#entries.get(userId);
    if (entry !== undefined) entry.staleSinceMs ??= this.deps.clock.monotonic();
    this.#failed.delete(userId);
    const lookUp = this.#lookUps.get(userId);
    if (lookUp === undefined) return;
    lookUp.isStale = true;
    this.#lookUps.delete(userId);
  }

  /** Undefined: the store is unavailable, and no recent policies are known. */
  async lookUp(userId: string): Promise<PolicyIndex | undefined> {
    for (;;) {
      const known = this.known(userId);
      if (known !== undefined) return known;
      if (this.#failed.get(userId) === true) return this.#lastKnown(userId);
      const lookUp = this.#lookUps.get(userId) ?? this.#begin(userId);
      const found = await lookUp.found;
      if (!lookUp.isStale) return found;
    }
  }

  #begin(userId: string): LookUp {
    const lookUp: LookUp = { found: Promise.resolve(undefined), isStale: false };
    this.#lookUps.set(userId, lookUp);
    lookUp.found = this.#load(userId, lookUp);
    return lookUp;
  }

  async #load(userId: string, lookUp: LookUp): Promise<PolicyIndex | undefined> {
    try {
      const loaded = await this.deps.load(userId);
      if (!lookUp.isStale) this.#put(userId, loaded);
      return loaded.index;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.#failed.set(userId, true);
      return this.#lastKnown(userId);
    } finally {
      if (!lookUp.isStale) this.#lookUps.delete(userId);
    }
  }

  #lastKnown(userId: string): PolicyIndex | undefined {
    const entry = this.#entries.get(userId);
    if (entry?.staleSinceMs === undefined) return entry?.index;
    return this.deps.clock.monotonic() - entry.staleSinceMs < lastKnownMs ? entry.index : undefined;
  }

  #put(userId: string, loaded: LoadedPolicies): void {
    this.#remove(userId);
    this.#entries.set(userId, { ...loaded, staleSinceMs: undefined });
    this.#bytes += loaded.bytes;
    const maxBytes = this.deps.maxBytes ?? defaultBytes;
    while (this.#bytes > maxBytes) {
      const oldest = this.#entries.oldest?.key;
      if (oldest === undefined || oldest === userId) break;
      this.#remove(oldest);
    }
  }

  #remove(userId: string): void {
    const entry = this.#entries.get(userId);
    if (entry === undefined) return;
    this.#bytes -= entry.bytes;
    this.#entries.delete(userId);
  }
}
