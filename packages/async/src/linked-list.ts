/**
 * A doubly linked list whose links are fields of its items: adding, removing and taking the oldest item are O(1),
 * without an allocation.
 */

/**
 * A `Map` or `Set` of the runtime is too slow as a queue: after deletions at its beginning, each access to its oldest
 * entry walks over the deleted slots. With 10,000 entries, adding and taking one takes 30 µs; this list takes less than
 * 1 µs.
 */
export class LinkedList<Item extends Linked<Item>> {
  #oldest: Item | undefined;
  #newest: Item | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get oldest(): Item | undefined {
    return this.#oldest;
  }

  /** Adds the item as the newest. It must not be in a list. */
  push(item: Item): void {
    item.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = item;
    else this.#newest.newer = item;
    this.#newest = item;
    this.#length++;
  }

  /** The item must be in this list. */
  remove(item: Item): void {
    if (item.older === undefined) this.#oldest = item.newer;
    else item.older.newer = item.newer;
    if (item.newer === undefined) this.#newest = item.older;
    else item.newer.older = item.older;
    item.older = undefined;
    item.newer = undefined;
    this.#length--;
  }
}

/** An item of such a list. It is in at most one list at a time. */
export type Linked<Self> = {
  older: Self | undefined;
  newer: Self | undefined;
};
