/**
 * A queue of work for many owners, with a limit of running work for all and for each. Owners take turns, so that slow
 * work of one delays no other.
 */

export type RoundRobinOptions<Item> = {
  readonly maxRunning: number;
  readonly maxRunningOfOwner: number;
  readonly ownerOf: (item: Item) => string;
  /** Must not reject. */
  readonly work: (item: Item) => Promise<void>;
};

type Owner<Item> = { readonly name: string; readonly waiting: Item[]; running: number };

export class RoundRobin<Item> {
  readonly #owners = new Map<string, Owner<Item>>();
  /** Owners with waiting items that may run one more, in the order of their turns. */
  readonly #turns = new Set<Owner<Item>>();
  #running = 0;
  #waiting = 0;
  #idle = Promise.withResolvers<void>();

  constructor(private readonly options: RoundRobinOptions<Item>) {
    this.#idle.resolve();
  }

  /** Queues all items before the first one begins, so that owners share the free slots. */
  add(items: readonly Item[]): void {
    if (items.length > 0 && this.#running === 0) this.#idle = Promise.withResolvers();
    for (const item of items) {
      const name = this.options.ownerOf(item);
      const owner = this.#owners.get(name) ?? { name, waiting: [], running: 0 };
      this.#owners.set(name, owner);
      owner.waiting.push(item);
      if (!this.#turns.has(owner)) this.#takeTurn(owner);
    }
    this.#waiting += items.length;
    this.#beginSome();
  }

  /** Whether an item of the owner waits or runs. */
  isBusy(owner: string): boolean {
    return this.#owners.has(owner);
  }

  /** The numbers of running and of waiting items. */
  stats(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting };
  }

  /** Resolves when nothing runs or waits. */
  idle(): Promise<void> {
    return this.#idle.promise;
  }

  /**
   * Adds the owner to the end of the turns if it has waiting items and may run one more. Removes an owner without
   * items.
   */
  #takeTurn(owner: Owner<Item>): void {
    this.#turns.delete(owner);
    if (owner.waiting.length > 0 && owner.running < this.options.maxRunningOfOwner) this.#turns.add(owner);
    else if (owner.waiting.length === 0 && owner.running === 0) this.#owners.delete(owner.name);
  }

  #beginSome(): void {
    for (const owner of this.#turns) {
      if (this.#running >= this.options.maxRunning) return;
      const item = owner.waiting.shift();
      if (item === undefined) continue;
      this.#waiting--;
      this.#begin(owner, item);
      this.#takeTurn(owner);
    }
  }

  #begin(owner: Owner<Item>, item: Item): void {
    this.#running++;
    owner.running++;
    void this.options.work(item).finally(() => {
      this.#running--;
      owner.running--;
      // An owner that already has a turn retains its position.
      if (!this.#turns.has(owner)) this.#takeTurn(owner);
      this.#beginSome();
      if (this.#running === 0) this.#idle.resolve();
    });
  }
}
