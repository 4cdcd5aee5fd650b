import { expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import { quietLog } from '@flowgate/testing/quiet-log';
import { type SessionLeaseDeps, withSessionLease } from './session-lease.ts';
import type { SessionSnapshot } from './session-store.ts';

const leaseMs = 600_000;

/** A storage that is unavailable for the first `failures` attempts to release the lease. */
function opened(failures: number) {
  let nowMs = 0;
  const asked = { releases: 0 };
  const released = Promise.withResolvers<void>();
  const deps: SessionLeaseDeps = {
    store: {
      acquire: async () => ({ kind: 'acquired', lease: { name: 'x', token: 1 }, snapshot: {} as SessionSnapshot }),
      renew: async () => true,
      commit: async () => {
        throw new Unavailable('database', 'unavailable');
      },
      async release() {
        asked.releases += 1;
        if (asked.releases <= failures) throw new Unavailable('database', 'unavailable');
        released.resolve();
      },
    },
    leaseMs,
    inFlight: new Set(),
    clock: { monotonic: () => nowMs },
    newHolder: () => 'holder',
    changed: () => {},
    log: quietLog(),
  };
  return { parts: deps, asked, released: released.promise, advance: (ms: number) => (nowMs += ms) };
}

test('if a lease cannot be released, it is released as soon as the storage is available, regardless of how the work ended', async () => {
  for (const end of [
    async () => 'refused',
    () => Promise.reject(new Unavailable('database', 'unavailable')),
    () => Promise.reject(new Error('a bug')),
  ]) {
    const { parts, asked, released } = opened(3);
    await withSessionLease<unknown>(parts, { sessionId: 'ses_1' }, end).catch(() => undefined);
    expect(asked.releases).toBe(1);
    await released;
    expect(asked.releases).toBe(4);
  }
});

test('if the outcome of the commit is unknown, the lease is released, too', async () => {
  const { parts, asked, released } = opened(1);
  const [result] = await Promise.allSettled([
    withSessionLease(parts, { sessionId: 'ses_1' }, (hold) => hold.commit({} as Parameters<typeof hold.commit>[0])),
  ]);
  expect(result).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
  await released;
  expect(asked.releases).toBe(2);
});

test('attempts to release a lease end when it expires', async () => {
  const { parts, asked, advance } = opened(Number.POSITIVE_INFINITY);
  await withSessionLease(parts, { sessionId: 'ses_1' }, async () => 'done');
  advance(leaseMs);
  const { promise: quiet, resolve } = Promise.withResolvers<void>();
  const { release } = parts.store;
  // One attempt was in progress, and no further one follows.
  // Real time: the test asserts that nothing happens, which no state shows. It waits longer than the pause before a third attempt.
  parts.store.release = (lease) => release(lease).finally(() => setTimeout(resolve, 300));
  await quiet;
  expect(asked.releases).toBe(2);
});
