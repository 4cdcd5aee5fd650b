/**
 * Least-recent use in two segments, counted in bytes: what came once waits in the first, what was used again is protected in the second. A flood of what is used once passes through
 * the first and leaves the second as it is; no owner has more than a quarter of the second.
 */

import { Tally } from '@flowgate/base/tally';
import { type Linked, LinkedList } from './linked-list.ts';

/** What is in a list: the list's own fields stand in the thing itself, so that a use allocates nothing. */
export class LruItem<Self> implements Linked<Self> {
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

  /** Takes it out. */
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
