/**
 * A least-recently-used list in two segments, counted in bytes. New items enter the first segment; items that are used
 * again are protected in the second. A flood of items that are used once passes through the first and leaves the second
 * unchanged; one owner has at most a quarter of the second.
 */

import { Tally } from '@flowgate/base/tally';
import { type Linked, LinkedList } from './linked-list.ts';

/** An item of the list. The list's own fields are in the item, so that a use allocates nothing. */
export class LruItem<Self> implements Linked<Self> {
  older: Self | undefined;
  newer: Self | undefined;
  place: 'none' | 'first' | 'protected' = 'none';
  /** The owner for whom the item is protected. */
  protectedFor = '';

  /** `bytes`: the memory of the item; it does not change. */
  constructor(readonly bytes: number) {}
}

const protectedShare = 0.8;
const ownerShare = 0.25;

class Segment<Item extends LruItem<Item>> extends LinkedList<Item> {
  bytes = 0;

  override push(item: Item): void {
    super.push(item);
    this.bytes += item.bytes;
  }

  override remove(item: Item): void {
    super.remove(item);
    this.bytes -= item.bytes;
  }
}

export class SegmentedLru<Item extends LruItem<Item>> {
  readonly #first = new Segment<Item>();
  readonly #protected = new Segment<Item>();
  readonly #ofOwners = new Tally();
  readonly #protectedBytes: number;
  readonly #ownerBytes: number;

  /** `evicted` receives items that have left the list. */
  constructor(
    private readonly maxBytes: number,
    private readonly evicted: (item: Item) => void,
  ) {
    this.#protectedBytes = maxBytes * protectedShare;
    this.#ownerBytes = this.#protectedBytes * ownerShare;
  }

  /** The bytes of all items. */
  get bytes(): number {
    return this.#first.bytes + this.#protected.bytes;
  }

  /** Adds a new item. Evicts the least recently used ones until there is room. */
  add(item: Item): void {
    item.place = 'first';
    this.#first.push(item);
    this.#shrink();
  }

  /** Records a use by `owner`. */
  use(item: Item, owner: string): void {
    if (item.place === 'protected') {
      this.#protected.remove(item);
      this.#protected.push(item);
      return;
    }
    this.#first.remove(item);
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

  /** Removes the item, without a call of `evicted`. */
  remove(item: Item): void {
    if (item.place === 'first') this.#first.remove(item);
    else if (item.place === 'protected') this.#unprotect(item);
    item.place = 'none';
  }

  #demote(item: Item): void {
    this.#unprotect(item);
    item.place = 'first';
    this.#first.push(item);
  }

  #unprotect(item: Item): void {
    this.#protected.remove(item);
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
