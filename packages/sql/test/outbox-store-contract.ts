/** The guarantees of `packages/sql/src/coordination/outbox-store.ts` as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { LeasedItem, OutboxItem, OutboxStore, PartitionRule } from '../src/coordination/outbox-store.ts';

export type OpenedOutbox = {
  readonly store: (queue: string, rule: PartitionRule) => OutboxStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: (queue: string, rule: PartitionRule) => OutboxStore;
  /** Enqueues all items in one transaction; `failing` makes that transaction fail afterwards. */
  readonly enqueue: (queue: string, items: readonly OutboxItem[], failing?: boolean) => Promise<void>;
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Far longer than a test takes, so that only the test's clock makes leases expire. */
const leaseMs = 600_000;
const rules = ['free', 'one-at-a-time', 'ordered'] as const;
let queues = 0;

export function outboxStoreContract(engine: string, open: () => Promise<OpenedOutbox>, numRuns: number): void {
  describe(`outbox on ${engine}`, () => {
    let opened: OpenedOutbox;
    let queue: string;
    beforeEach(async () => {
      opened = await open();
      queues += 1;
      queue = `q${queues}`;
    });
    afterEach(() => opened.close());
    const ids = (items: readonly LeasedItem[]) => items.map(({ id }) => id);
    const items = (count: number, partitionKey?: string) =>
      Array.from({ length: count }, (_, at) => item(`${queue}-${String(at).padStart(4, '0')}`, partitionKey));

    const enqueueLong = async () => {
      const long = items(5_000, 'long');
      for (let at = 0; at < long.length; at += 500) await opened.enqueue(queue, long.slice(at, at + 500));
      await opened.enqueue(queue, [item(`${queue}-healthy`, 'healthy')]);
    };

    test('enqueued items exist exactly when their transaction was committed, with all their members', async () => {
      const [first, second] = [{ ...item(`${queue}-1`, 'partition'), payload: '{"ü":"😀 \' ?"}' }, item(`${queue}-2`)];
      const [failed] = await Promise.allSettled([opened.enqueue(queue, [item(`${queue}-0`)], true)]);
      expect(failed.status).toBe('rejected');
      await opened.enqueue(queue, [first, second]);
      await opened.enqueue(queue, [first]);
      const leased = await opened.other(queue, 'free').leaseBatch(10, leaseMs);
      expect(leased).toMatchObject([
        { ...first, leaseCount: 1 },
        { ...second, leaseCount: 1 },
      ]);
    });

    test('an item has its owner; by default its partition is its owner, and without a partition it has none', async () => {
      const owned = { ...item(`${queue}-1`, 'a'), owner: 'alice' };
      await opened.enqueue(queue, [owned, item(`${queue}-2`, 'b'), { ...item(`${queue}-3`), owner: 'carol' }]);
      const leased = await opened
        .store(queue, 'one-at-a-time')
        .leaseBatch(10, leaseMs, { max: 1, inFlight: new Map() });
      expect(leased.map(({ owner, partitionKey }) => [owner, partitionKey])).toEqual([
        ['alice', 'a'],
        ['b', 'b'],
        [undefined, undefined],
      ]);
    });

    test('queues are independent', async () => {
      await opened.enqueue(queue, [item(`${queue}-1`, 'partition')]);
      for (const rule of rules) expect(await opened.store(`${queue}x`, rule).leaseBatch(10, leaseMs)).toEqual([]);
    });

    test('two hundred items and ten concurrent callers: each item is leased once, by one', async () => {
      await opened.enqueue(queue, items(200));
      const caller = async (at: number) => {
        const store = (at % 2 === 0 ? opened.store : opened.other)(queue, 'free');
        const mine: string[] = [];
        for (;;) {
          const batch = await store.leaseBatch(7, leaseMs);
          expect(batch.length).toBeLessThanOrEqual(7);
          if (batch.length === 0) return mine;
          mine.push(...ids(batch));
        }
      };
      const leased = (await Promise.all(Array.from({ length: 10 }, (_, at) => caller(at)))).flat();
      // A caller ends when the others have leased the remaining items, so no item is missing either.
      expect(leased.sort()).toEqual(ids(items(200).map((each) => ({ ...each, leaseCount: 1, ageMs: 0 }))));
    });

    test('a batch has no more items than its limit, oldest first', async () => {
      const all = items(5);
      await opened.enqueue(queue, all);
      const store = opened.store(queue, 'free');
      expect(ids(await store.leaseBatch(2, leaseMs))).toEqual(all.slice(0, 2).map(({ id }) => id));
      expect(ids(await store.leaseBatch(10, leaseMs))).toEqual(all.slice(2).map(({ id }) => id));
    });

    test('a completed item is deleted; a failed one is due again at its time, with one more attempt', async () => {
      const store = opened.store(queue, 'free');
      await opened.enqueue(queue, items(2));
      const [done, again] = await store.leaseBatch(2, leaseMs);
      if (done === undefined || again === undefined) throw new Error('nothing was leased');
      expect(await store.complete(done)).toBe(true);
      expect(await store.complete(done)).toBe(false);
      expect(await store.fail(again, 60_000)).toBe(true);
      expect(await store.fail(again, 0)).toBe(false);
      expect(await store.leaseBatch(10, leaseMs)).toEqual([]);
      await opened.advance(60_000);
      expect(await store.leaseBatch(10, leaseMs)).toMatchObject([{ id: again.id, leaseCount: 2 }]);
      await opened.advance(leaseMs);
      expect(await store.leaseBatch(10, leaseMs)).toMatchObject([{ id: again.id, leaseCount: 3 }]);
    });

    test('the items of a crashed holder are due again after its lease, and its later calls have no effect', async () => {
      const store = opened.store(queue, 'free');
      await opened.enqueue(queue, items(1));
      const [slow] = await store.leaseBatch(1, leaseMs);
      if (slow === undefined) throw new Error('nothing was leased');
      await opened.advance(leaseMs - 60_000);
      expect(await opened.other(queue, 'free').leaseBatch(1, leaseMs)).toEqual([]);
      await opened.advance(60_000);
      expect(await opened.other(queue, 'free').leaseBatch(1, leaseMs)).toMatchObject([{ id: slow.id, leaseCount: 2 }]);
      expect(await store.complete(slow)).toBe(false);
      expect(await store.fail(slow, 0)).toBe(false);
    });

    test('a lease reports how long ago its item was enqueued, by the storage’s clock; after that clock stepped back it is not negative', async () => {
      const store = opened.store(queue, 'free');
      await opened.enqueue(queue, items(1));
      await opened.advance(leaseMs);
      const [aged] = await store.leaseBatch(1, 0);
      // The real time that passes meanwhile is less than a minute.
      expect(Math.floor((aged?.ageMs ?? 0) / 60_000)).toBe(leaseMs / 60_000);
      await opened.advance(-2 * leaseMs);
      await opened.advance(2 * leaseMs);
      if (aged !== undefined) await store.fail(aged, -3 * leaseMs);
      await opened.advance(-2 * leaseMs);
      expect((await store.leaseBatch(1, 0))[0]?.ageMs).toBe(0);
      await opened.advance(2 * leaseMs);
    });

    test('a late `complete` or `fail` succeeds while no one else has leased the item', async () => {
      const store = opened.store(queue, 'free');
      await opened.enqueue(queue, items(1));
      const [slow] = await store.leaseBatch(1, leaseMs);
      await opened.advance(2 * leaseMs);
      expect(slow !== undefined && (await store.complete(slow))).toBe(true);
    });

    for (const rule of ['one-at-a-time', 'ordered'] as const)
      test(`${rule}: of each partition one item is leased at any time, oldest first, for any number of callers`, async () => {
        const partitions = ['a', 'b', 'c'];
        await opened.enqueue(
          queue,
          items(30).map((each, at) => ({ ...each, partitionKey: partitions[at % 3] ?? '' })),
        );
        const out = new Map<string, string>();
        const delivered = new Map<string, string[]>(partitions.map((partitionKey) => [partitionKey, []]));
        let left = 30;
        const caller = async (at: number) => {
          const store = (at % 2 === 0 ? opened.store : opened.other)(queue, rule);
          while (left > 0) {
            const batch = await store.leaseBatch(5, leaseMs);
            for (const { id, partitionKey = '' } of batch) {
              expect(out.get(partitionKey)).toBeUndefined();
              out.set(partitionKey, id);
              delivered.get(partitionKey)?.push(id);
            }
            for (const each of batch) {
              out.delete(each.partitionKey ?? '');
              expect(await store.complete(each)).toBe(true);
              left -= 1;
            }
          }
        };
        await Promise.all(Array.from({ length: 6 }, (_, at) => caller(at)));
        for (const got of delivered.values()) {
          expect(got).toHaveLength(10);
          expect(got).toEqual([...got].sort());
        }
      });

    for (const rule of ['one-at-a-time', 'ordered'] as const)
      test(`${rule}: also while deliveries fail and are retried, of a partition one item is leased at any time`, async () => {
        await opened.enqueue(queue, items(40, 'partition'));
        let out: string | undefined;
        let left = 40;
        const caller = async (at: number) => {
          const store = (at % 2 === 0 ? opened.store : opened.other)(queue, rule);
          while (left > 0) {
            for (const each of await store.leaseBatch(3, leaseMs)) {
              expect(out).toBeUndefined();
              out = each.id;
              // Real time: another call could be answered in this moment.
              await Bun.sleep(1);
              out = undefined;
              if (each.leaseCount < 4) await store.fail(each, each.leaseCount);
              else if (await store.complete(each)) left -= 1;
            }
            // The manual clock does not reach the time of a retry by itself.
            if (engine === 'SQLite') await opened.advance(1);
          }
        };
        await Promise.all(Array.from({ length: 8 }, (_, at) => caller(at)));
      });

    test('an item that waits for its retry blocks its partition when ordered, and lets others pass otherwise', async () => {
      for (const [rule, next] of [
        ['ordered', []],
        ['one-at-a-time', ['-2']],
      ] as const) {
        const own = `${queue}-${rule}`;
        await opened.enqueue(own, [item(`${own}-1`, 'partition'), item(`${own}-2`, 'partition')]);
        const store = opened.store(own, rule);
        const [first] = await store.leaseBatch(10, leaseMs);
        if (first === undefined) throw new Error('nothing was leased');
        expect(first.id).toBe(`${own}-1`);
        await store.fail(first, 60_000);
        expect(ids(await store.leaseBatch(10, leaseMs))).toEqual(next.map((end) => own + end));
      }
    });

    for (const rule of ['one-at-a-time', 'ordered'] as const)
      test(`${rule}: a partition with 5,000 waiting items blocks neither itself nor another`, async () => {
        await enqueueLong();
        const store = opened.store(queue, rule);
        const batch = await store.leaseBatch(10, leaseMs);
        expect(ids(batch)).toEqual([`${queue}-0000`, `${queue}-healthy`]);
        for (const each of batch) expect(await store.complete(each)).toBe(true);
        expect(ids(await store.leaseBatch(10, leaseMs))).toEqual([`${queue}-0001`]);
      });

    for (const [rule, next] of [
      ['one-at-a-time', ['-2500', '-healthy']],
      ['ordered', ['-healthy']],
    ] as const)
      test(`${rule}: nor does it when the older half of them waits for a retry`, async () => {
        await enqueueLong();
        const failing = opened.store(queue, 'free');
        const older = await failing.leaseBatch(2_500, leaseMs);
        for (let at = 0; at < older.length; at += 100)
          await Promise.all(older.slice(at, at + 100).map((each) => failing.fail(each, leaseMs)));
        const batch = await opened.store(queue, rule).leaseBatch(10, leaseMs);
        expect(ids(batch)).toEqual(next.map((end) => queue + end));
      });

    test('one-at-a-time: with a large backlog every partition gets its turn, and items without one too; of a partition one is leased, and none is lost or leased twice', async () => {
      const partitions = ['c', 'a', 'e', 'b', undefined];
      const long = items(1_400, 'd');
      const short = Array.from({ length: 50 }, (_, at) =>
        item(`${queue}-s${String(at).padStart(2, '0')}`, partitions[at % 5]),
      );
      for (let at = 0; at < long.length; at += 700) await opened.enqueue(queue, long.slice(at, at + 700));
      await opened.enqueue(queue, short);
      const stores = [opened.store(queue, 'one-at-a-time'), opened.other(queue, 'one-at-a-time')];
      const [inFlight] = await opened.store(queue, 'one-at-a-time').leaseBatch(1, leaseMs);
      const leased: string[] = [];
      for (let round = 0; round < 50; round++) {
        const batch = (await stores[round % 2]?.leaseBatch(2, leaseMs)) ?? [];
        expect(batch).not.toEqual([]);
        expect(
          batch.filter(({ partitionKey }) => partitionKey !== undefined && partitionKey === inFlight?.partitionKey),
        ).toEqual([]);
        expect(new Set(batch.map(({ id, partitionKey = id }) => partitionKey)).size).toBe(batch.length);
        leased.push(...ids(batch));
        for (const each of batch) expect(await opened.store(queue, 'free').complete(each)).toBe(true);
      }
      expect(new Set(leased).size).toBe(leased.length);
      // The long partition did not delay the others, and its own items stayed in order.
      const isInFlight = ({ partitionKey }: OutboxItem) =>
        partitionKey !== undefined && partitionKey === inFlight?.partitionKey;
      for (const each of short) if (!isInFlight(each)) expect(leased).toContain(each.id);
      const ofLong = leased.filter((id) => long.some((each) => each.id === id));
      expect(ofLong).toEqual([...ofLong].sort());
      expect(ids(await opened.store(`${queue}x`, 'one-at-a-time').leaseBatch(2, leaseMs))).toEqual([]);
    });

    for (const rule of ['one-at-a-time', 'ordered'] as const)
      test(`${rule}: an owner of many partitions gets no more than its share, owners with the fewest items in flight go first, and skipped items were not leased`, async () => {
        const store = opened.store(queue, rule);
        const of = (owner: string, nth: number) => ({ owner, partitionKey: `${nth} of ${owner}` });
        await opened.enqueue(
          queue,
          items(10).map((each, at) => ({ ...each, ...of('alice', at) })),
        );
        await opened.enqueue(queue, [{ ...item(`${queue}-bob`), ...of('bob', 1) }, item(`${queue}-none`)]);
        const inFlight = new Map([['alice', 1]]);
        // Alice's items have waited longest.
        expect(ids(await store.leaseBatch(2, leaseMs, { max: 4, inFlight })).sort()).toEqual(
          [`${queue}-bob`, `${queue}-none`].sort(),
        );
        const alices = await store.leaseBatch(10, leaseMs, { max: 4, inFlight });
        expect(ids(alices)).toEqual([0, 1, 2].map((nth) => `${queue}-000${nth}`));
        inFlight.set('alice', 4);
        expect(await store.leaseBatch(10, leaseMs, { max: 4, inFlight })).toEqual([]);
        const rest = await opened.other(queue, rule).leaseBatch(10, leaseMs);
        expect(rest.map(({ id, leaseCount }) => [id, leaseCount])).toEqual(
          [3, 4, 5, 6, 7, 8, 9].map((nth) => [`${queue}-000${nth}`, 1]),
        );
      });

    for (const isCrowd of [false, true])
      test(`one-at-a-time: every call leases exactly as many items of an owner as its share allows${isCrowd ? ', also with a large backlog' : ''}`, async () => {
        const owners = ['alice', 'bob', 'carol', 'dave'];
        await fc.assert(
          fc.asyncProperty(sharings, async ({ partitions, limits, max }) => {
            queues += 1;
            const own = `s${queues}`;
            const partitioned = partitions.map(({ owner, partitionKey }, at) => ({
              ...item(`${own}-${String(at).padStart(4, '0')}`),
              // With these keys, the partitions of one owner are not adjacent in the order of the keys.
              partitionKey: `${partitionKey} of ${owners[owner]}`,
              owner: owners[owner] ?? '',
            }));
            const crowd = isCrowd
              ? Array.from({ length: 1_001 }, (_, at) => ({ ...partitioned[0], ...item(`${own}-c${at}`) }))
              : [];
            await opened.enqueue(own, [...partitioned, ...crowd]);
            const inFlight = new Map<string, number>();
            const free = new Map(partitioned.map(({ partitionKey, owner }) => [partitionKey, owner]));
            const store = opened.store(own, 'one-at-a-time');
            for (const limit of limits) {
              const left = new Map<string, number>();
              for (const owner of free.values()) left.set(owner, (left.get(owner) ?? 0) + 1);
              const mine = [...left].map(([owner, count]) => Math.min(count, max - (inFlight.get(owner) ?? 0)));
              const got = await store.leaseBatch(limit, leaseMs, { max, inFlight });
              const room = mine.reduce((sum, count) => sum + count, 0);
              // A call for many partitions continues where the last one ended, and need not return to the beginning at once.
              if (isCrowd) expect(got.length).toBeGreaterThan(room === 0 ? -1 : 0);
              else expect(got).toHaveLength(Math.min(limit, room));
              for (const { partitionKey = '', owner = '' } of got) {
                expect(owner).toBe(free.get(partitionKey) ?? 'leased twice');
                expect(free.delete(partitionKey)).toBe(true);
                inFlight.set(owner, (inFlight.get(owner) ?? 0) + 1);
              }
              for (const count of inFlight.values()) expect(count).toBeLessThanOrEqual(max);
            }
          }),
          { numRuns },
        );
      });

    test('text that an engine could not return unchanged is refused, and nothing is enqueued', async () => {
      for (const bad of ['a\0b', 'a\ud800b', '\udc00'])
        for (const each of [{ id: bad }, { payload: bad }, { partitionKey: bad }, { partitionKey: 'a', owner: bad }]) {
          const enqueueing = opened.enqueue(queue, [item(`${queue}-1`), { ...item(`${queue}-2`), ...each }]);
          await expect(enqueueing).rejects.toBeInstanceOf(RangeError);
        }
      await expect(opened.enqueue('q\0', [item(`${queue}-1`)])).rejects.toBeInstanceOf(RangeError);
      expect(await opened.store(queue, 'free').leaseBatch(10, leaseMs)).toEqual([]);
    });

    for (const rule of rules)
      test(`${rule}: it agrees with a plain model over random histories, including clock steps forward and back`, async () => {
        await fc.assert(
          fc.asyncProperty(histories, async (history) => {
            queues += 1;
            await agreesWithModel(opened, history, `m${queues}`, rule);
          }),
          { numRuns },
        );
      });
  });
}

type Step =
  | { readonly kind: 'enqueue'; readonly partitionKey: string | undefined }
  | { readonly kind: 'lease'; readonly limit: number; readonly lease: number }
  | { readonly kind: 'complete' | 'fail'; readonly which: number; readonly retry: number }
  | { readonly kind: 'advance'; readonly steps: number };

/** The clock moves in steps of ten seconds; the real time that passes meanwhile is less. */
const stepMs = 10_000;
const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('enqueue' as const), partitionKey: fc.constantFrom('a', 'b', undefined) }),
    fc.record({
      kind: fc.constant('lease' as const),
      limit: fc.integer({ min: 1, max: 4 }),
      lease: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({
      kind: fc.constantFrom(...(['complete', 'fail'] as const)),
      which: fc.nat(20),
      retry: fc.integer({ min: 0, max: 4 }),
    }),
    fc.record({ kind: fc.constant('advance' as const), steps: fc.integer({ min: -2, max: 4 }) }),
  ),
  { minLength: 30, maxLength: 60 },
);

const sharings = fc.record({
  partitions: fc.array(fc.record({ owner: fc.nat(3), partitionKey: fc.nat(6) }), { minLength: 1, maxLength: 40 }),
  limits: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 }),
  max: fc.integer({ min: 1, max: 5 }),
});

type Modeled = {
  id: string;
  partitionKey: string | undefined;
  enqueued: number;
  due: number;
  until: number | undefined;
  leaseCount: number;
};

async function agreesWithModel(opened: OpenedOutbox, history: readonly Step[], queue: string, rule: PartitionRule) {
  const model = new Map<string, Modeled>();
  const leases: LeasedItem[] = [];
  let now = 0;
  for (const [at, step] of history.entries()) {
    const store = (at % 2 === 0 ? opened.store : opened.other)(queue, rule);
    if (step.kind === 'advance') {
      now += step.steps;
      await opened.advance(step.steps * stepMs);
    } else if (step.kind === 'enqueue') {
      const id = `${queue}-${String(at).padStart(3, '0')}`;
      await opened.enqueue(queue, [item(id, step.partitionKey)]);
      model.set(id, { id, partitionKey: step.partitionKey, enqueued: now, due: now, until: undefined, leaseCount: 0 });
    } else if (step.kind === 'lease') {
      const free = [...model.values()].filter((each) => isFree(each, [...model.values()], now, rule));
      const got = await store.leaseBatch(step.limit, step.lease * stepMs);
      expect(got).toHaveLength(Math.min(step.limit, free.length));
      for (const each of got) {
        const known = free.find(({ id }) => id === each.id);
        expect(each.leaseCount).toBe((known?.leaseCount ?? Number.NaN) + 1);
        if (known !== undefined)
          Object.assign(known, { leaseCount: each.leaseCount, due: now + step.lease, until: now + step.lease });
      }
      leases.push(...got);
    } else {
      const leased = leases[step.which % Math.max(1, leases.length)];
      if (leased === undefined) continue;
      const known = model.get(leased.id);
      const counts = known !== undefined && known.leaseCount === leased.leaseCount && known.until !== undefined;
      const done = await (step.kind === 'complete' ? store.complete(leased) : store.fail(leased, step.retry * stepMs));
      expect(done).toBe(counts);
      if (counts && step.kind === 'complete') model.delete(leased.id);
      if (counts && step.kind === 'fail') Object.assign(known, { due: now + step.retry, until: undefined });
    }
  }
}

function isFree(one: Modeled, all: readonly Modeled[], now: number, rule: PartitionRule): boolean {
  if (one.due > now) return false;
  if (rule === 'free' || one.partitionKey === undefined) return true;
  const others = all.filter(({ id, partitionKey }) => partitionKey === one.partitionKey && id !== one.id);
  const older = (each: Modeled) => each.enqueued < one.enqueued || (each.enqueued === one.enqueued && each.id < one.id);
  return !others.some(
    (each) =>
      (each.until ?? Number.NEGATIVE_INFINITY) > now || (older(each) && (rule === 'ordered' || each.due <= now)),
  );
}

function item(id: string, partitionKey?: string): OutboxItem {
  return partitionKey === undefined ? { id, payload: '{}' } : { id, payload: '{}', partitionKey };
}
