/** The guarantees of `platform/coordination/outbox-store.ts` as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ClaimedItem, LaneRule, OutboxItem, OutboxStore } from '../../src/platform/coordination/outbox-store.ts';
import { laneOwner, lanePrefix } from '../../src/platform/coordination/owned-lane.ts';

export type OpenedOutbox = {
  readonly store: (queue: string, rule: LaneRule) => OutboxStore;
  /** A second way to the same storage, as another process has it. */
  readonly other: (queue: string, rule: LaneRule) => OutboxStore;
  /** All of them in one transaction; `failing` makes that transaction fail after them. */
  readonly enqueue: (queue: string, items: readonly OutboxItem[], failing?: boolean) => Promise<void>;
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Far longer than a test takes, so that time passes only when a test says so. */
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
    const ids = (items: readonly ClaimedItem[]) => items.map(({ id }) => id);
    const items = (count: number, lane?: string) =>
      Array.from({ length: count }, (_, at) => item(`${queue}-${String(at).padStart(4, '0')}`, lane));

    const enqueueLong = async () => {
      const long = items(5_000, 'long');
      for (let at = 0; at < long.length; at += 500) await opened.enqueue(queue, long.slice(at, at + 500));
      await opened.enqueue(queue, [item(`${queue}-healthy`, 'healthy')]);
    };

    test('what a transaction enqueued is there exactly when it was committed, with everything it had', async () => {
      const [first, second] = [{ ...item(`${queue}-1`, 'lane'), payload: '{"ü":"😀 \' ?"}' }, item(`${queue}-2`)];
      const [failed] = await Promise.allSettled([opened.enqueue(queue, [item(`${queue}-0`)], true)]);
      expect(failed.status).toBe('rejected');
      await opened.enqueue(queue, [first, second]);
      await opened.enqueue(queue, [first]);
      const claimed = await opened.other(queue, 'free').claimBatch(10, leaseMs);
      expect(claimed).toMatchObject([
        { ...first, claim: 1 },
        { ...second, claim: 1 },
      ]);
    });

    test('queues do not touch each other', async () => {
      await opened.enqueue(queue, [item(`${queue}-1`, 'lane')]);
      for (const rule of rules) expect(await opened.store(`${queue}x`, rule).claimBatch(10, leaseMs)).toEqual([]);
    });

    test('two hundred items and ten claimers at once: each item is claimed once, by one', async () => {
      await opened.enqueue(queue, items(200));
      const claimer = async (at: number) => {
        const store = (at % 2 === 0 ? opened.store : opened.other)(queue, 'free');
        const mine: string[] = [];
        for (;;) {
          const batch = await store.claimBatch(7, leaseMs);
          expect(batch.length).toBeLessThanOrEqual(7);
          if (batch.length === 0) return mine;
          mine.push(...ids(batch));
        }
      };
      const claimed = (await Promise.all(Array.from({ length: 10 }, (_, at) => claimer(at)))).flat();
      // A claimer ends when the others hold what is left, so nothing is missing either.
      expect(claimed.sort()).toEqual(ids(items(200).map((each) => ({ ...each, claim: 1, ageMs: 0 }))));
    });

    test('a batch takes no more than its limit, oldest first', async () => {
      const all = items(5);
      await opened.enqueue(queue, all);
      const store = opened.store(queue, 'free');
      expect(ids(await store.claimBatch(2, leaseMs))).toEqual(all.slice(0, 2).map(({ id }) => id));
      expect(ids(await store.claimBatch(10, leaseMs))).toEqual(all.slice(2).map(({ id }) => id));
    });

    test('a completed item is gone; a failed one is due again when it was said, one more attempt', async () => {
      const store = opened.store(queue, 'free');
      await opened.enqueue(queue, items(2));
      const [done, again] = await store.claimBatch(2, leaseMs);
      if (done === undefined || again === undefined) throw new Error('nothing was claimed');
      expect(await store.complete(done)).toBe(true);
      expect(await store.complete(done)).toBe(false);
      expect(await store.fail(again, 60_000)).toBe(true);
      expect(await store.fail(again, 0)).toBe(false);
      expect(await store.claimBatch(10, leaseMs)).toEqual([]);
      await opened.advance(60_000);
      expect(await store.claimBatch(10, leaseMs)).toMatchObject([{ id: again.id, claim: 2 }]);
      await opened.advance(leaseMs);
      expect(await store.claimBatch(10, leaseMs)).toMatchObject([{ id: again.id, claim: 3 }]);
    });

    test('what a dead claimer held comes back after its lease, and the dead one’s word counts no more', async () => {
      const store = opened.store(queue, 'free');
      await opened.enqueue(queue, items(1));
      const [slow] = await store.claimBatch(1, leaseMs);
      if (slow === undefined) throw new Error('nothing was claimed');
      await opened.advance(leaseMs - 60_000);
      expect(await opened.other(queue, 'free').claimBatch(1, leaseMs)).toEqual([]);
      await opened.advance(60_000);
      expect(await opened.other(queue, 'free').claimBatch(1, leaseMs)).toMatchObject([{ id: slow.id, claim: 2 }]);
      expect(await store.complete(slow)).toBe(false);
      expect(await store.fail(slow, 0)).toBe(false);
    });

    test('a claim tells how long ago its item was enqueued, by the storage’s clock; after that clock stepped back it is not negative', async () => {
      const store = opened.store(queue, 'free');
      await opened.enqueue(queue, items(1));
      await opened.advance(leaseMs);
      const [aged] = await store.claimBatch(1, 0);
      // What really passes meanwhile is less than a minute.
      expect(Math.floor((aged?.ageMs ?? 0) / 60_000)).toBe(leaseMs / 60_000);
      await opened.advance(-2 * leaseMs);
      await opened.advance(2 * leaseMs);
      if (aged !== undefined) await store.fail(aged, -3 * leaseMs);
      await opened.advance(-2 * leaseMs);
      expect((await store.claimBatch(1, 0))[0]?.ageMs).toBe(0);
      await opened.advance(2 * leaseMs);
    });

    test('a late word counts while nobody else has claimed the item', async () => {
      const store = opened.store(queue, 'free');
      await opened.enqueue(queue, items(1));
      const [slow] = await store.claimBatch(1, leaseMs);
      await opened.advance(2 * leaseMs);
      expect(slow !== undefined && (await store.complete(slow))).toBe(true);
    });

    for (const rule of ['one-at-a-time', 'ordered'] as const)
      test(`${rule}: of each lane one item is out at any time, oldest first, however many claim at once`, async () => {
        const lanes = ['a', 'b', 'c'];
        await opened.enqueue(
          queue,
          items(30).map((each, at) => ({ ...each, lane: lanes[at % 3] ?? '' })),
        );
        const out = new Map<string, string>();
        const delivered = new Map<string, string[]>(lanes.map((lane) => [lane, []]));
        let left = 30;
        const claimer = async (at: number) => {
          const store = (at % 2 === 0 ? opened.store : opened.other)(queue, rule);
          while (left > 0) {
            const batch = await store.claimBatch(5, leaseMs);
            for (const { id, lane = '' } of batch) {
              expect(out.get(lane)).toBeUndefined();
              out.set(lane, id);
              delivered.get(lane)?.push(id);
            }
            for (const each of batch) {
              out.delete(each.lane ?? '');
              expect(await store.complete(each)).toBe(true);
              left -= 1;
            }
          }
        };
        await Promise.all(Array.from({ length: 6 }, (_, at) => claimer(at)));
        for (const got of delivered.values()) {
          expect(got).toHaveLength(10);
          expect(got).toEqual([...got].sort());
        }
      });

    for (const rule of ['one-at-a-time', 'ordered'] as const)
      test(`${rule}: also while deliveries fail and come back, of a lane one item is out at any time`, async () => {
        await opened.enqueue(queue, items(40, 'lane'));
        let out: string | undefined;
        let left = 40;
        const claimer = async (at: number) => {
          const store = (at % 2 === 0 ? opened.store : opened.other)(queue, rule);
          while (left > 0) {
            for (const each of await store.claimBatch(3, leaseMs)) {
              expect(out).toBeUndefined();
              out = each.id;
              // A moment in which another claim could be answered.
              await new Promise((resolve) => setTimeout(resolve, 1));
              out = undefined;
              if (each.claim < 4) await store.fail(each, each.claim);
              else if (await store.complete(each)) left -= 1;
            }
            // A clock of our own does not reach the time of a retry by itself.
            if (engine === 'SQLite') await opened.advance(1);
          }
        };
        await Promise.all(Array.from({ length: 8 }, (_, at) => claimer(at)));
      }, 30_000);

    test('an item that waits for its retry holds its lane back when ordered, and lets others pass otherwise', async () => {
      for (const [rule, next] of [
        ['ordered', []],
        ['one-at-a-time', ['-2']],
      ] as const) {
        const own = `${queue}-${rule}`;
        await opened.enqueue(own, [item(`${own}-1`, 'lane'), item(`${own}-2`, 'lane')]);
        const store = opened.store(own, rule);
        const [first] = await store.claimBatch(10, leaseMs);
        if (first === undefined) throw new Error('nothing was claimed');
        expect(first.id).toBe(`${own}-1`);
        await store.fail(first, 60_000);
        expect(ids(await store.claimBatch(10, leaseMs))).toEqual(next.map((end) => own + end));
      }
    });

    for (const rule of ['one-at-a-time', 'ordered'] as const)
      test(`${rule}: a lane with 5,000 waiting items stops neither itself nor another`, async () => {
        await enqueueLong();
        const store = opened.store(queue, rule);
        const batch = await store.claimBatch(10, leaseMs);
        expect(ids(batch)).toEqual([`${queue}-0000`, `${queue}-healthy`]);
        for (const each of batch) expect(await store.complete(each)).toBe(true);
        expect(ids(await store.claimBatch(10, leaseMs))).toEqual([`${queue}-0001`]);
      }, 30_000);

    for (const [rule, next] of [
      ['one-at-a-time', ['-2500', '-healthy']],
      ['ordered', ['-healthy']],
    ] as const)
      test(`${rule}: nor does it when the older half of them waits for a retry`, async () => {
        await enqueueLong();
        const failing = opened.store(queue, 'free');
        const older = await failing.claimBatch(2_500, leaseMs);
        for (let at = 0; at < older.length; at += 100)
          await Promise.all(older.slice(at, at + 100).map((each) => failing.fail(each, leaseMs)));
        const batch = await opened.store(queue, rule).claimBatch(10, leaseMs);
        expect(ids(batch)).toEqual(next.map((end) => queue + end));
      }, 30_000);

    test('one-at-a-time: when very much is due every lane has its turn, and what has none too; of a lane one is out, and none is lost or claimed twice', async () => {
      const lanes = ['c', 'a', 'e', 'b', undefined];
      const long = items(1_400, 'd');
      const short = Array.from({ length: 50 }, (_, at) =>
        item(`${queue}-s${String(at).padStart(2, '0')}`, lanes[at % 5]),
      );
      for (let at = 0; at < long.length; at += 700) await opened.enqueue(queue, long.slice(at, at + 700));
      await opened.enqueue(queue, short);
      const stores = [opened.store(queue, 'one-at-a-time'), opened.other(queue, 'one-at-a-time')];
      const [held] = await opened.store(queue, 'one-at-a-time').claimBatch(1, leaseMs);
      const claimed: string[] = [];
      for (let round = 0; round < 50; round++) {
        const batch = (await stores[round % 2]?.claimBatch(2, leaseMs)) ?? [];
        expect(batch).not.toEqual([]);
        expect(batch.filter(({ lane }) => lane !== undefined && lane === held?.lane)).toEqual([]);
        expect(new Set(batch.map(({ id, lane = id }) => lane)).size).toBe(batch.length);
        claimed.push(...ids(batch));
        for (const each of batch) expect(await opened.store(queue, 'free').complete(each)).toBe(true);
      }
      expect(new Set(claimed).size).toBe(claimed.length);
      // The long lane did not keep the others waiting, nor was it out of order.
      const isOfHeld = ({ lane }: OutboxItem) => lane !== undefined && lane === held?.lane;
      for (const each of short) if (!isOfHeld(each)) expect(claimed).toContain(each.id);
      const ofLong = claimed.filter((id) => long.some((each) => each.id === id));
      expect(ofLong).toEqual([...ofLong].sort());
      expect(ids(await opened.store(`${queue}x`, 'one-at-a-time').claimBatch(2, leaseMs))).toEqual([]);
    }, 30_000);

    for (const rule of ['one-at-a-time', 'ordered'] as const)
      test(`${rule}: an owner of many lanes gets no more than its share, whoever has least out goes first, and what was passed over was not claimed`, async () => {
        const store = opened.store(queue, rule);
        const lane = (owner: string, nth: number) => `${lanePrefix(owner)}${nth}`;
        await opened.enqueue(
          queue,
          items(10).map((each, at) => ({ ...each, lane: lane('alice', at) })),
        );
        await opened.enqueue(queue, [item(`${queue}-bob`, lane('bob', 1)), item(`${queue}-none`)]);
        const held = new Map([[laneOwner(lane('alice', 0)), 1]]);
        // Alice's have been there longest.
        expect(ids(await store.claimBatch(2, leaseMs, { most: 4, held })).sort()).toEqual(
          [`${queue}-bob`, `${queue}-none`].sort(),
        );
        const alices = await store.claimBatch(10, leaseMs, { most: 4, held });
        expect(ids(alices)).toEqual([0, 1, 2].map((nth) => `${queue}-000${nth}`));
        held.set(laneOwner(lane('alice', 0)), 4);
        expect(await store.claimBatch(10, leaseMs, { most: 4, held })).toEqual([]);
        const rest = await opened.other(queue, rule).claimBatch(10, leaseMs);
        expect(rest.map(({ id, claim }) => [id, claim])).toEqual(
          [3, 4, 5, 6, 7, 8, 9].map((nth) => [`${queue}-000${nth}`, 1]),
        );
      });

    for (const isCrowd of [false, true])
      test(`one-at-a-time: every claim takes what the shares leave, no more of an owner and no less${isCrowd ? ', also when very much is due' : ''}`, async () => {
        const owners = ['alice', 'bob', 'carol', 'dave'];
        await fc.assert(
          fc.asyncProperty(sharings, async ({ lanes, limits, most }) => {
            queues += 1;
            const own = `s${queues}`;
            const laned = lanes.map(({ owner, lane }, at) =>
              item(`${own}-${String(at).padStart(4, '0')}`, `${lanePrefix(owners[owner] ?? '')}${lane}`),
            );
            const crowd = isCrowd
              ? Array.from({ length: 1_001 }, (_, at) => item(`${own}-c${at}`, laned[0]?.lane))
              : [];
            await opened.enqueue(own, [...laned, ...crowd]);
            const held = new Map<string, number>();
            const free = new Set(laned.map(({ lane = '' }) => lane));
            const store = opened.store(own, 'one-at-a-time');
            for (const limit of limits) {
              const left = new Map<string, number>();
              for (const lane of free) left.set(laneOwner(lane), (left.get(laneOwner(lane)) ?? 0) + 1);
              const mine = [...left].map(([owner, count]) => Math.min(count, most - (held.get(owner) ?? 0)));
              const got = await store.claimBatch(limit, leaseMs, { most, held });
              const room = mine.reduce((sum, count) => sum + count, 0);
              // A crowd's claim goes on where the last one ended, and need not turn back for the rest at once.
              if (isCrowd) expect(got.length).toBeGreaterThan(room === 0 ? -1 : 0);
              else expect(got).toHaveLength(Math.min(limit, room));
              for (const { lane = '' } of got) {
                expect(free.delete(lane)).toBe(true);
                held.set(laneOwner(lane), (held.get(laneOwner(lane)) ?? 0) + 1);
              }
              for (const count of held.values()) expect(count).toBeLessThanOrEqual(most);
            }
          }),
          { numRuns },
        );
      }, 30_000);

    test('text that an engine could not give back as it was is refused, and nothing is enqueued', async () => {
      for (const bad of ['a\0b', 'a\ud800b', '\udc00'])
        for (const each of [{ id: bad }, { payload: bad }, { lane: bad }]) {
          const enqueueing = opened.enqueue(queue, [item(`${queue}-1`), { ...item(`${queue}-2`), ...each }]);
          await expect(enqueueing).rejects.toBeInstanceOf(RangeError);
        }
      await expect(opened.enqueue('q\0', [item(`${queue}-1`)])).rejects.toBeInstanceOf(RangeError);
      expect(await opened.store(queue, 'free').claimBatch(10, leaseMs)).toEqual([]);
    });

    for (const rule of rules)
      test(`${rule}: it agrees with a plain model over random histories, clock steps forth and back included`, async () => {
        await fc.assert(
          fc.asyncProperty(histories, async (history) => {
            queues += 1;
            await agreesWithModel(opened, history, `m${queues}`, rule);
          }),
          { numRuns },
        );
      }, 30_000);
  });
}

type Step =
  | { readonly kind: 'enqueue'; readonly lane: string | undefined }
  | { readonly kind: 'claim'; readonly limit: number; readonly lease: number }
  | { readonly kind: 'complete' | 'fail'; readonly which: number; readonly retry: number }
  | { readonly kind: 'advance'; readonly steps: number };

/** Time goes in steps of ten seconds: what really passes meanwhile is less. */
const stepMs = 10_000;
const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('enqueue' as const), lane: fc.constantFrom('a', 'b', undefined) }),
    fc.record({
      kind: fc.constant('claim' as const),
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
  lanes: fc.array(fc.record({ owner: fc.nat(3), lane: fc.nat(6) }), { minLength: 1, maxLength: 40 }),
  limits: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 }),
  most: fc.integer({ min: 1, max: 5 }),
});

type Modelled = {
  id: string;
  lane: string | undefined;
  enqueued: number;
  due: number;
  until: number | undefined;
  claim: number;
};

async function agreesWithModel(opened: OpenedOutbox, history: readonly Step[], queue: string, rule: LaneRule) {
  const model = new Map<string, Modelled>();
  const claims: ClaimedItem[] = [];
  let now = 0;
  for (const [at, step] of history.entries()) {
    const store = (at % 2 === 0 ? opened.store : opened.other)(queue, rule);
    if (step.kind === 'advance') {
      now += step.steps;
      await opened.advance(step.steps * stepMs);
    } else if (step.kind === 'enqueue') {
      const id = `${queue}-${String(at).padStart(3, '0')}`;
      await opened.enqueue(queue, [item(id, step.lane)]);
      model.set(id, { id, lane: step.lane, enqueued: now, due: now, until: undefined, claim: 0 });
    } else if (step.kind === 'claim') {
      const free = [...model.values()].filter((each) => isFree(each, [...model.values()], now, rule));
      const got = await store.claimBatch(step.limit, step.lease * stepMs);
      expect(got).toHaveLength(Math.min(step.limit, free.length));
      for (const each of got) {
        const known = free.find(({ id }) => id === each.id);
        expect(each.claim).toBe((known?.claim ?? Number.NaN) + 1);
        if (known !== undefined)
          Object.assign(known, { claim: each.claim, due: now + step.lease, until: now + step.lease });
      }
      claims.push(...got);
    } else {
      const claimed = claims[step.which % Math.max(1, claims.length)];
      if (claimed === undefined) continue;
      const known = model.get(claimed.id);
      const counts = known !== undefined && known.claim === claimed.claim && known.until !== undefined;
      const done = await (step.kind === 'complete'
        ? store.complete(claimed)
        : store.fail(claimed, step.retry * stepMs));
      expect(done).toBe(counts);
      if (counts && step.kind === 'complete') model.delete(claimed.id);
      if (counts && step.kind === 'fail') Object.assign(known, { due: now + step.retry, until: undefined });
    }
  }
}

function isFree(one: Modelled, all: readonly Modelled[], now: number, rule: LaneRule): boolean {
  if (one.due > now) return false;
  if (rule === 'free' || one.lane === undefined) return true;
  const beside = all.filter(({ id, lane }) => lane === one.lane && id !== one.id);
  const older = (each: Modelled) =>
    each.enqueued < one.enqueued || (each.enqueued === one.enqueued && each.id < one.id);
  return !beside.some(
    (each) =>
      (each.until ?? Number.NEGATIVE_INFINITY) > now || (older(each) && (rule === 'ordered' || each.due <= now)),
  );
}

function item(id: string, lane?: string): OutboxItem {
  return lane === undefined ? { id, payload: '{}' } : { id, payload: '{}', lane };
}
