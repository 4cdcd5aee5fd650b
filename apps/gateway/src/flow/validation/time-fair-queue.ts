/** A bounded queue that shares time equally between the owners of waiting work, regardless of the time of each piece (start-time fair queueing, Goyal 1996). */

export type TimeFairQueueLimits = {
  /** Maximum number of waiting entries, of all owners together and of one owner. */
  readonly max: number;
  readonly maxOfOwner: number;
};

export type TimeFairQueue<T> = {
  /** False if the queue is full. */
  readonly add: (owner: string, item: T) => boolean;
  /** Takes the oldest entry of the owner who has used the least time; undefined if no entry is waiting. */
  readonly next: () => { readonly owner: string; readonly item: T } | undefined;
  /** Removes a waiting entry; false if it is not in the queue. */
  readonly remove: (owner: string, item: T) => boolean;
  readonly isEmpty: () => boolean;
  /** Records how many milliseconds an entry has cost its owner. */
  readonly charge: (owner: string, ms: number) => void;
};

export function createTimeFairQueue<T>({ max, maxOfOwner }: TimeFairQueueLimits): TimeFairQueue<T> {
  const waiting = new Map<string, T[]>();
  /** Milliseconds that each owner has used. Idle owners save no time: they start at the level of the owner who is served now. */
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
      if (size >= max || items.length >= maxOfOwner) return false;
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
      // Moved to the end, so that owners with equal time take turns.
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
