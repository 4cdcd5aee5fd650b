/** A bounded queue of work that takes unequal time, fair to its owners: none gets more of the time than another who wants it too (start-time fair queueing, Goyal 1996). */

export type FairQueueLimits = {
  /** Entries that wait, of all owners together and of each. */
  readonly most: number;
  readonly mostOfOwner: number;
};

export type FairQueue<T> = {
  /** False when there is no room. */
  readonly add: (owner: string, item: T) => boolean;
  /** Takes the oldest entry of the owner who has had the least time; undefined when none waits. */
  readonly next: () => { readonly owner: string; readonly item: T } | undefined;
  /** An entry is not wanted any more; false when it is not there. */
  readonly remove: (owner: string, item: T) => boolean;
  /** Nothing waits. */
  readonly isEmpty: () => boolean;
  /** What was taken from the queue has cost its owner so many milliseconds. */
  readonly charge: (owner: string, ms: number) => void;
};

export function createFairQueue<T>({ most, mostOfOwner }: FairQueueLimits): FairQueue<T> {
  const waiting = new Map<string, T[]>();
  /** Time that owners have had. Who was away has saved none up: he begins where the one who is served stands. */
  const had = new Map<string, number>();
  let served = 0;
  let size = 0;

  function take(owner: string, items: T[], nth: number): T[] {
    size -= 1;
    const taken = items.splice(nth, 1);
    if (items.length === 0) waiting.delete(owner);
    return taken;
  }

  function forgetWhenIdle(): void {
    if (size > 0) return;
    had.clear();
    served = 0;
  }

  return {
    add(owner, item) {
      const items = waiting.get(owner) ?? [];
      if (size >= most || items.length >= mostOfOwner) return false;
      if (items.length === 0) had.set(owner, Math.max(had.get(owner) ?? 0, served));
      items.push(item);
      waiting.set(owner, items);
      size += 1;
      return true;
    },
    next() {
      let first: { readonly owner: string; readonly items: T[]; readonly had: number } | undefined;
      for (const [owner, items] of waiting) {
        const own = had.get(owner) ?? 0;
        if (first === undefined || own < first.had) first = { owner, items, had: own };
      }
      if (first === undefined) return undefined;
      served = first.had;
      const { owner, items } = first;
      const [item] = take(owner, items, 0);
      if (item === undefined) return undefined;
      // To the end: of owners who have had the same, each has his turn.
      if (waiting.delete(owner)) waiting.set(owner, items);
      return { owner, item };
    },
    remove(owner, item) {
      const items = waiting.get(owner) ?? [];
      const nth = items.indexOf(item);
      return nth >= 0 && take(owner, items, nth).length > 0;
    },
    isEmpty: () => size === 0,
    charge(owner, ms) {
      had.set(owner, (had.get(owner) ?? served) + ms);
      forgetWhenIdle();
    },
  };
}
