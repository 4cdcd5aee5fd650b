/**
 * Least-recent use in two segments, counted in bytes: what came once waits in the first, what was used again is protected in the second. A flood of what is used once passes through
 * the first and leaves the second as it is; no owner has more than a quarter of the second.
 */

import { Tally } from '@flowgate/base/tally';

/** What is in a list: the list's own fields stand in the thing itself, so that a use allocates nothing. */
export class LruItem<Self> {
  older: Self | undefined;
  newer: Self | undefined;
  place: 'none' | 'first' | 'protected' = 'none';
  /** For whom it is protected. */
  protectedFor = '';

  /** `bytes`: all that it takes; it does not change. */
  constructor(readonly bytes: number) {}
}

const protectedShare = 0.8;
const ownerShare = 0.25;

class List<Item extends LruItem<Item>> {
  #newest: Item | undefined;
  oldest: Item | undefined;
  bytes = 0;

  push(item: Item): void {
    item.older = this.#newest;
    item.newer = undefined;
    if (this.#newest === undefined) this.oldest = item;
    else this.#newest.newer = item;
    this.#newest = item;
    this.bytes += item.bytes;
  }

  take(item: Item): void {
    if (item.older === undefined) this.oldest = item.newer;
    else item.older.newer = item.newer;
    if (item.newer === undefined) this.#newest = item.older;
    else item.newer.older = item.older;
    item.older = undefined;
    item.newer = undefined;
    this.bytes -= item.bytes;
  }
}

export class SegmentedLru<Item extends LruItem<Item>> {
  readonly #first = new List<Item>();
  readonly #protected = new List<Item>();
  readonly #ofOwners = new Tally();
  readonly #protectedBytes: number;
  readonly #ownerBytes: number;

  /** `evicted` gets what has to go; it is in no list any more. */
  constructor(
    private readonly maxBytes: number,
    private readonly evicted: (item: Item) => void,
  ) {
    this.#protectedBytes = maxBytes * protectedShare;
    this.#ownerBytes = this.#protectedBytes * ownerShare;
  }

  /** Of all items. */
  get bytes(): number {
    return this.#first.bytes + this.#protected.bytes;
  }

  /** Puts a new item in; the least recently used ones go until there is room. */
  add(item: Item): void {
    item.place = 'first';
    this.#first.push(item);
    this.#shrink();
  }

  /** Notes a use by `owner`. */
  use(item: Item, owner: string): void {
    if (item.place === 'protected') {
      this.#protected.take(item);
      this.#protected.push(item);
      return;
    }
    this.#first.take(item);
    if (this.#ofOwners.of(owner) + item.bytes > this.#ownerBytes) {
      this.#first.push(item);
      return;
    }
    item.place = 'protected';
    item.protectedFor = owner;
    this.#ofOwners.add(owner, item.bytes);
    this.#protected.push(item);
    while (this.#protected.bytes > this.#protectedBytes && this.#protected.oldest !== undefined)
      this.#demote(this.#protected.oldest);
  }

  /** Takes it out. */
  remove(item: Item): void {
    if (item.place === 'first') this.#first.take(item);
    else if (item.place === 'protected') this.#unprotect(item);
    item.place = 'none';
  }

  #demote(item: Item): void {
    this.#unprotect(item);
    item.place = 'first';
    this.#first.push(item);
  }

  #unprotect(item: Item): void {
    this.#protected.take(item);
    this.#ofOwners.remove(item.protectedFor, item.bytes);
    item.protectedFor = '';
  }

  #shrink(): void {
    while (this.bytes > this.maxBytes) {
      const item = this.#first.oldest ?? this.#protected.oldest;
      if (item === undefined) return;
      this.remove(item);
      this.evicted(item);
    }
  }
}
