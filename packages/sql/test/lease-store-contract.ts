/** The guarantees of `packages/sql/src/coordination/lease-store.ts` and of the fence as tests that every engine runs. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Lease, LeaseAttempt, LeaseStore } from '../src/coordination/lease-store.ts';

export type OpenedLeases = {
  readonly store: LeaseStore;
  /** A second connection to the same storage, like that of another process. */
  readonly other: LeaseStore;
  /** Writes `id` in a transaction that checks the lease's fence; returns whether it was written. */
  readonly write: (lease: Lease, id: string) => Promise<boolean>;
  /** The written ids, in no order. */
  readonly written: () => Promise<readonly string[]>;
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Far longer than a test takes, so that only the test's clock makes leases expire. */
const ttlMs = 600_000;
let names = 0;

export function leaseStoreContract(engine: string, open: () => Promise<OpenedLeases>, numRuns: number): void {
  describe(`leases on ${engine}`, () => {
    let opened: OpenedLeases;
    let store: LeaseStore;
    let name: string;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      name = 'job';
    });
    afterEach(() => opened.close());

    test("one holder gets the lease, the other is refused with the holder's name and the time left", async () => {
      expect(await store.acquire(name, 'a', ttlMs)).toEqual({ acquired: true, lease: { name, token: 1 } });
      const attempt = await opened.other.acquire(name, 'b', ttlMs);
      expect(attempt).toMatchObject({ acquired: false, holder: 'a' });
      const { expiresInMs } = attempt.acquired ? { expiresInMs: 0 } : attempt;
      expect(expiresInMs).toBeGreaterThan(ttlMs / 2);
      expect(expiresInMs).toBeLessThanOrEqual(ttlMs);
    });

    test('of forty concurrent attempts, over two connections, one succeeds', async () => {
      const attempts = await Promise.all(
        Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? store : opened.other).acquire(name, `h${at}`, ttlMs)),
      );
      expect(attempts.filter(({ acquired }) => acquired)).toHaveLength(1);
    });

    test('an expired lease is taken over by one, with a higher token', async () => {
      await store.acquire(name, 'a', ttlMs);
      await opened.advance(ttlMs);
      const attempts = await Promise.all(
        Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? store : opened.other).acquire(name, `h${at}`, ttlMs)),
      );
      expect(attempts.filter(({ acquired }) => acquired)).toEqual([{ acquired: true, lease: { name, token: 2 } }]);
    });

    test('a renewed lease does not expire, and names are independent', async () => {
      const lease = leaseOf(await store.acquire(name, 'a', ttlMs));
      await store.acquire('other job', 'b', ttlMs);
      await opened.advance(ttlMs - 60_000);
      expect(await store.renew(lease, ttlMs)).toBe(true);
      await opened.advance(ttlMs - 60_000);
      expect(await opened.other.acquire(name, 'b', ttlMs)).toMatchObject({ acquired: false });
      expect(await opened.other.acquire('other job', 'a', ttlMs)).toMatchObject({ acquired: true });
    });

    test('a released lease is free at once, is not renewed, and its token is never granted again', async () => {
      const lease = leaseOf(await store.acquire(name, 'a', ttlMs));
      expect(await store.release(lease)).toBe(true);
      expect(await store.release(lease)).toBe(false);
      expect(await store.renew(lease, ttlMs)).toBe(false);
      expect(await opened.write(lease, 'w')).toBe(false);
      expect(await opened.other.acquire(name, 'b', ttlMs)).toEqual({ acquired: true, lease: { name, token: 2 } });
      expect(await store.release(lease)).toBe(false);
    });

    test('a holder that acquires again gets a new token, and its old one is refused: an attempt whose answer was lost may be repeated', async () => {
      const lost = leaseOf(await store.acquire(name, 'a', ttlMs));
      const again = leaseOf(await store.acquire(name, 'a', ttlMs));
      expect(again.token).toBe(2);
      expect(await opened.write(lost, 'lost')).toBe(false);
      expect(await opened.write(again, 'again')).toBe(true);
      expect(await opened.written()).toEqual(['again']);
    });

    test("a stale holder writes nothing, and neither renews nor releases the new holder's lease", async () => {
      const stale = leaseOf(await store.acquire(name, 'a', ttlMs));
      expect(await opened.write(stale, 'before')).toBe(true);
      await opened.advance(ttlMs);
      const fresh = leaseOf(await opened.other.acquire(name, 'b', ttlMs));
      expect(await opened.write(stale, 'stale')).toBe(false);
      expect(await store.renew(stale, ttlMs)).toBe(false);
      expect(await store.release(stale)).toBe(false);
      expect(await opened.write(fresh, 'fresh')).toBe(true);
      expect([...(await opened.written())].sort()).toEqual(['before', 'fresh']);
    });

    test('after a take-over was answered, no write of the earlier holder appears, in any race', async () => {
      for (let round = 0; round < 15; round++) {
        const lease = leaseOf(await store.acquire(`race ${round}`, 'a', ttlMs));
        await opened.advance(ttlMs);
        const writes = Array.from({ length: 12 }, (_, at) => opened.write(lease, `${round}-${at}`));
        await opened.other.acquire(`race ${round}`, 'b', ttlMs);
        const seen = (await opened.written()).filter((id) => id.startsWith(`${round}-`)).sort();
        const answers = await Promise.all(writes);
        const later = (await opened.written()).filter((id) => id.startsWith(`${round}-`)).sort();
        expect(later).toEqual(seen);
        expect(later).toEqual(answers.flatMap((done, at) => (done ? [`${round}-${at}`] : [])).sort());
      }
    });

    test('it agrees with a plain model over random histories, including clock steps forward and back', async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          names += 1;
          await agreesWithModel(opened, history, `${engine} ${names}`);
        }),
        { numRuns },
      );
    });
  });
}

type Step =
  | { readonly kind: 'acquire'; readonly name: string; readonly holder: string; readonly ttl: number }
  | { readonly kind: 'renew' | 'release' | 'write'; readonly which: number; readonly ttl: number }
  | { readonly kind: 'advance'; readonly steps: number };

/** The clock moves in steps of ten seconds; the real time that passes meanwhile is less. */
const stepMs = 10_000;
const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('acquire' as const),
      name: fc.constantFrom('x', 'y'),
      holder: fc.constantFrom('a', 'b', 'c'),
      ttl: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({
      kind: fc.constantFrom(...(['renew', 'release', 'write'] as const)),
      which: fc.nat(9),
      ttl: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({ kind: fc.constant('advance' as const), steps: fc.integer({ min: -3, max: 6 }) }),
  ),
  { minLength: 20, maxLength: 50 },
);

async function agreesWithModel({ store, other, write, advance }: OpenedLeases, history: readonly Step[], run: string) {
  const expectedLeases = new Map<string, { holder: string | undefined; token: number; until: number }>();
  const leases: Lease[] = [];
  let now = 0;
  for (const [at, step] of history.entries()) {
    const through = at % 2 === 0 ? store : other;
    if (step.kind === 'advance') {
      now += step.steps;
      await advance(step.steps * stepMs);
    } else if (step.kind === 'acquire') {
      const name = `${run} ${step.name}`;
      const present = expectedLeases.get(name);
      const free = present?.holder === undefined || present.holder === step.holder || present.until <= now;
      const attempt = await through.acquire(name, step.holder, step.ttl * stepMs);
      expect(attempt).toMatchObject(
        free
          ? { acquired: true, lease: { token: (present?.token ?? 0) + 1 } }
          : { acquired: false, holder: present.holder },
      );
      if (!attempt.acquired) continue;
      leases.push(attempt.lease);
      expectedLeases.set(name, { holder: step.holder, token: attempt.lease.token, until: now + step.ttl });
    } else {
      const lease = leases[step.which % Math.max(1, leases.length)];
      const present = lease === undefined ? undefined : expectedLeases.get(lease.name);
      if (lease === undefined || present === undefined) continue;
      const holds = present.token === lease.token && present.holder !== undefined;
      const act = { renew: () => through.renew(lease, step.ttl * stepMs), release: () => through.release(lease) };
      const done = await (step.kind === 'write' ? write(lease, `${run} ${at}`) : act[step.kind]());
      expect(done).toBe(holds);
      if (!holds) continue;
      if (step.kind === 'renew') present.until = now + step.ttl;
      if (step.kind === 'release') present.holder = undefined;
    }
  }
}

function leaseOf(attempt: LeaseAttempt): Lease {
  if (!attempt.acquired) throw new Error(`the lease belongs to ${attempt.holder}`);
  return attempt.lease;
}
