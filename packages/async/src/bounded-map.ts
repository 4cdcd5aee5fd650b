/**
 * A map that drops its oldest entries beyond a bound, so that keys from callers cannot make it grow. All operations are
 * O(1).
 */

import { type Linked, LinkedList } from './linked-list.ts';

class Entry<K, V> implements Linked<Entry<K, V>> {
  older: Entry<K, V> | undefined;
  newer: Entry<K, V> | undefined;

  constructor(
    readonly key: K,
    public value: V,
  ) {}
}

export class BoundedMap<K, V> {
  readonly #entries = new Map<K, Entry<K, V>>();
  #order = new LinkedList<Entry<K, V>>();

  constructor(private readonly maxEntries: number) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Like `get`, for values that may be undefined. */
  find(key: K): { readonly value: V } | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** The entry becomes the newest. */
  set(key: K, value: V): void {
    const known = this.#entries.get(key);
    if (known !== undefined) this.#order.remove(known);
    const entry = known ?? new Entry(key, value);
    entry.value = value;
    this.#order.push(entry);
    if (known !== undefined) return;
    this.#entries.set(key, entry);
    const { oldest } = this.#order;
    if (this.#entries.size > this.maxEntries && oldest !== undefined) this.delete(oldest.key);
  }

  delete(key: K): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#order.remove(entry);
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#order = new LinkedList();
  }

  /** Undefined when the map is empty. */
  get oldest(): { readonly key: K; readonly value: V } | undefined {
    return this.#order.oldest;
  }
}

/**
 * Caches the latest `maxEntries` values of a function without side effects. A flood of new arguments evicts cached
 * values, and costs no more than the function itself.
 */
export function memoized<K, V>(maxEntries: number, compute: (key: K) => V): (key: K) => V {
  const known = new BoundedMap<K, V>(maxEntries);
  return (key) => {
    const found = known.find(key);
    if (found !== undefined) return found.value;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
