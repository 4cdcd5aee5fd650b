/** A bounded map whose entries expire after a time. */

import type { Clock } from '@flowgate/base/clock';
import { BoundedMap } from './bounded-map.ts';

/**
 * How many expired entries each new one removes: more than one, so that expired entries are removed faster than new
 * ones are added.
 */
const removedAtOnce = 2;

export class ExpiringMap<K, V> {
  /** In the order of their expiry, since all have the same lifetime. */
  readonly #entries: BoundedMap<K, { readonly value: V; readonly untilMs: number }>;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly lifetimeMs: number,
    maxEntries: number,
  ) {
    this.#entries = new BoundedMap(maxEntries);
  }

  /** Expired entries included. */
  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.clock.monotonic() < entry.untilMs ? entry.value : undefined;
  }

  /** The entry's lifetime begins now. */
  set(key: K, value: V): void {
    const nowMs = this.clock.monotonic();
    for (let removed = 0; removed < removedAtOnce; removed++) {
      const { oldest } = this.#entries;
      if (oldest === undefined || nowMs < oldest.value.untilMs) break;
      this.#entries.delete(oldest.key);
    }
    this.#entries.set(key, { value, untilMs: nowMs + this.lifetimeMs });
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}
