/** Work for many owners, so much of it at once, and of one owner not more than a few: owners take turns, so that nobody's slow work delays others'. */

export type FairQueue<Item> = {
  readonly add: (owner: string, item: Item) => void;
  /** The numbers of items under way, and of those that wait. */
  readonly stats: () => { readonly running: number; readonly waiting: number };
};

export type FairQueueOptions<Item> = {
  /** Items under way at once. */
  readonly most: number;
  /** Of these for one owner. */
  readonly mostOfOwner: number;
  /** Never rejects. */
  readonly work: (item: Item) => Promise<void>;
};

type Owner<Item> = { readonly name: string; readonly waiting: Item[]; running: number };

export function createFairQueue<Item>({ most, mostOfOwner, work }: FairQueueOptions<Item>): FairQueue<Item> {
  const owners = new Map<string, Owner<Item>>();
  /** Owners with waiting items and room for one more, in the order of their turns. */
  const turns = new Set<Owner<Item>>();
  let running = 0;
  let waiting = 0;

  /** At the end, when it has waiting items and room; an owner with neither items nor work is forgotten. */
  function takeTurn(owner: Owner<Item>): void {
    turns.delete(owner);
    if (owner.waiting.length > 0 && owner.running < mostOfOwner) turns.add(owner);
    else if (owner.waiting.length === 0 && owner.running === 0) owners.delete(owner.name);
  }

  function begin(owner: Owner<Item>, item: Item): void {
    running++;
    owner.running++;
    void work(item).finally(() => {
      running--;
      owner.running--;
      // One that already has a turn keeps its place.
      if (!turns.has(owner)) takeTurn(owner);
      beginSome();
    });
  }

  function beginSome(): void {
    for (const owner of turns) {
      if (running >= most) return;
      const item = owner.waiting.shift();
      if (item === undefined) continue;
      waiting--;
      begin(owner, item);
      takeTurn(owner);
    }
  }

  return {
    add(name, item) {
      const owner = owners.get(name) ?? { name, waiting: [], running: 0 };
      owners.set(name, owner);
      owner.waiting.push(item);
      waiting++;
      if (!turns.has(owner)) takeTurn(owner);
      beginSome();
    },
    stats: () => ({ running, waiting }),
  };
}
