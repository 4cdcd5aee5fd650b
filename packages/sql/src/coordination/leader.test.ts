import { expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import { onEveryEngine } from '../../../../apps/gateway/test/fixtures/sql-engines.ts';
import type { Lease, LeaseStore } from './lease-store.ts';
import { type LeaderOptions, runWhileLeader } from './run-while-leader.ts';
import { createSqlLeaseStore } from './sql-lease-store.ts';

/** Long enough that a candidate on a busy machine does not lose its lease. */
const ttlMs = 900;

/** A candidate whose work reports that it begins and lasts until the test ends it. */
function candidate(leases: LeaseStore, holder: string, more: Partial<LeaderOptions> = {}) {
  const began = Promise.withResolvers<Lease>();
  const ended = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const leadership = runWhileLeader({
    leases,
    name: 'job',
    holder,
    ttlMs,
    pauseMs: 10,
    clock: systemClock,
    onError: (error) => errors.push(error),
    async work(lease, signal) {
      began.resolve(lease);
      await aborted(signal);
      ended.resolve();
    },
    ...more,
  });
  return { ...leadership, began: began.promise, ended: ended.promise, errors };
}

onEveryEngine((engine, open) => {
  // SQLite's clock is the manual one, so leases expire only when a test advances it.
  test(`${engine}: of three candidates one leads, and another leads as soon as it stops`, async () => {
    const { database, other, close } = await open();
    const stores = [createSqlLeaseStore(database), createSqlLeaseStore(other), createSqlLeaseStore(other)];
    const all = stores.map((leases, at) => candidate(leases, `h${at}`));
    const tokens: number[] = [];
    const left = new Set(all);
    while (left.size > 0) {
      const leader = await Promise.race([...left].map(async (each) => ({ each, lease: await each.began })));
      tokens.push(leader.lease.token);
      expect(all.filter((each) => each.isLeader())).toEqual([leader.each]);
      await leader.each.stop();
      expect(leader.each.isLeader()).toBe(false);
      left.delete(leader.each);
    }
    expect(tokens).toEqual([1, 2, 3]);
    await close();
  });

  test(`${engine}: a leader whose storage is unavailable stops its work before another may lead, and another leads`, async () => {
    const { database, other, advance, close } = await open();
    let isCutOff = false;
    const cut = candidate(
      unreliable(createSqlLeaseStore(database), () => isCutOff),
      'cut',
    );
    await cut.began;
    isCutOff = true;
    // Timers of one process fire in the order of their times, even when it is busy.
    // Real time: the lease's.
    const first = await Promise.race([cut.ended.then(() => 'stopped'), Bun.sleep(ttlMs).then(() => 'expired')]);
    expect(first).toBe('stopped');
    expect(cut.isLeader()).toBe(false);
    if (engine === 'SQLite') await advance(ttlMs);
    const next = candidate(createSqlLeaseStore(other), 'next');
    expect((await next.began).token).toBeGreaterThan(1);
    await Promise.all([next.stop(), cut.stop()]);
    await close();
  });

  test(`${engine}: a replaced leader detects that at its next renewal`, async () => {
    const { database, other, advance, close } = await open();
    const slow = candidate(createSqlLeaseStore(database), 'slow');
    await slow.began;
    await advance(ttlMs);
    expect(await createSqlLeaseStore(other).acquire('job', 'thief', 600_000)).toMatchObject({ acquired: true });
    await slow.ended;
    expect(slow.isLeader()).toBe(false);
    await slow.stop();
    await close();
  });

  test(`${engine}: work that fails is reported, and starts again under a new lease`, async () => {
    const { database, close } = await open();
    const tokens: number[] = [];
    const again = Promise.withResolvers<void>();
    const failing = candidate(createSqlLeaseStore(database), 'failing', {
      async work({ token }) {
        tokens.push(token);
        if (tokens.length === 3) again.resolve();
        throw new Error('a bug');
      },
    });
    await again.promise;
    await failing.stop();
    expect(tokens.slice(0, 3)).toEqual([1, 2, 3]);
    expect(failing.errors.map(String)).toContain('Error: a bug');
    await close();
  });
});

function unreliable(store: LeaseStore, isCutOff: () => boolean): LeaseStore {
  const unlessCutOff = <T>(call: () => Promise<T>) =>
    isCutOff() ? Promise.reject(new Unavailable('database', 'cut off')) : call();
  return {
    acquire: (...args) => unlessCutOff(() => store.acquire(...args)),
    renew: (...args) => unlessCutOff(() => store.renew(...args)),
    release: (...args) => unlessCutOff(() => store.release(...args)),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
