import { expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import { createManualClock } from '@flowgate/testing/manual-clock';
import type { AdmissionStore } from './admission-store.ts';
import { createClusterRateLimiter } from './cluster-rate-limit.ts';
import { createRateLimiter } from './rate-limit.ts';

/** A store on the test's clock that tests can make unavailable, break and empty. */
function world({ userPerMinute = 3, sessionPerMinute = 2 } = {}) {
  const clock = createManualClock();
  const limits = { userPerMinute, sessionPerMinute, clock };
  let counters = createRateLimiter(limits);
  let epoch = 1;
  let failing = false;
  const asked: string[] = [];
  const store: AdmissionStore = {
    epoch: () => epoch,
    async admit(userId, cost, sessionId) {
      asked.push(userId);
      if (failing) throw new Unavailable('redis', 'silent');
      return counters.admit(userId, cost, sessionId);
    },
  };
  const gateway = () => createClusterRateLimiter({ store, node: createRateLimiter(limits), clock });
  return {
    clock,
    asked,
    gateway,
    setEpoch: (next: number) => {
      epoch = next;
    },
    fail: (yes: boolean) => {
      failing = yes;
    },
    empty: () => {
      counters = createRateLimiter(limits);
    },
  };
}

async function admittedOf(limiter: ReturnType<typeof createClusterRateLimiter>, tries: number): Promise<number> {
  let admitted = 0;
  for (let at = 0; at < tries; at++) if ((await limiter.admit('a', 1)).admitted) admitted += 1;
  return admitted;
}

test('while the store is available it decides for all nodes (contract/limits#shared-counters)', async () => {
  const { gateway } = world();
  const [first, second] = [gateway(), gateway()];
  expect(await admittedOf(first, 2)).toBe(2);
  expect(await admittedOf(second, 5)).toBe(1);
});

test('while the store is unavailable a node decides alone, without a call to the store and without a wait (contract/limits#shared-counters)', async () => {
  const { gateway, setEpoch, asked } = world();
  setEpoch(0);
  const limiter = gateway();
  expect(limiter.admit('a', 1)).toMatchObject({ admitted: true, remaining: 2 });
  expect(await admittedOf(limiter, 9)).toBe(2);
  expect(asked).toEqual([]);
});

test('after a failed call to the store this node decides: the store never causes an error (contract/limits#shared-counters)', async () => {
  const { gateway, fail } = world();
  fail(true);
  expect(await admittedOf(gateway(), 9)).toBe(3);
});

test('requests that the store admitted through this node still count when the store becomes unavailable: no fresh allowance', async () => {
  const { gateway, setEpoch, clock } = world();
  const limiter = gateway();
  expect(await admittedOf(limiter, 2)).toBe(2);
  clock.advance(30_000);
  setEpoch(0);
  expect(await admittedOf(limiter, 9)).toBe(1);
});

test('requests that this node admitted alone count for 60 s after the store is back: no second allowance', async () => {
  const { gateway, setEpoch, clock } = world();
  setEpoch(0);
  const limiter = gateway();
  expect(await admittedOf(limiter, 9)).toBe(3);
  clock.advance(1_000);
  setEpoch(1);
  expect(await limiter.admit('a', 1)).toMatchObject({ admitted: false, retryAfterMs: 59_000 });
  clock.advance(59_000);
  expect(await admittedOf(limiter, 9)).toBe(3);
});

test('a store that comes back empty between two requests gives this node no second allowance', async () => {
  const { gateway, setEpoch, empty } = world();
  const limiter = gateway();
  expect(await admittedOf(limiter, 9)).toBe(3);
  setEpoch(2);
  empty();
  expect(await admittedOf(limiter, 9)).toBe(0);
});

test('in the minute after an outage, a request that the store refuses consumes nothing at this node (contract/limits#shared-counters)', async () => {
  const { gateway, setEpoch, clock } = world({ userPerMinute: 3, sessionPerMinute: 3 });
  const other = gateway();
  expect(await admittedOf(other, 3)).toBe(3);
  clock.advance(30_000);
  setEpoch(0);
  const limiter = gateway();
  await limiter.admit('a', 1);
  setEpoch(2);
  for (let at = 0; at < 20; at++) expect(await limiter.admit('a', 1, 'ses_1')).toMatchObject({ admitted: false });
  clock.advance(30_000);
  expect(await admittedOf(limiter, 9)).toBe(2);
});

test('in the minute after an outage, concurrent requests exceed neither count', async () => {
  const { gateway, setEpoch } = world({ userPerMinute: 50 });
  setEpoch(0);
  const limiter = gateway();
  await admittedOf(limiter, 20);
  setEpoch(1);
  const burst = await Promise.all(Array.from({ length: 200 }, () => limiter.admit('a', 1)));
  expect(burst.filter(({ admitted }) => admitted)).toHaveLength(30);
});

test('in the minute after an outage, headers report the tighter count', async () => {
  const { gateway, setEpoch } = world({ userPerMinute: 10 });
  await admittedOf(gateway(), 6);
  setEpoch(0);
  const limiter = gateway();
  await limiter.admit('a', 1);
  setEpoch(2);
  expect(await limiter.admit('a', 1)).toMatchObject({ admitted: true, limit: 10, remaining: 3 });
});

test('a programming error is thrown and not taken for an outage', async () => {
  const { clock } = world();
  const store: AdmissionStore = { epoch: () => 1, admit: () => Promise.reject(new TypeError('a bug')) };
  const node = createRateLimiter({ userPerMinute: 1, sessionPerMinute: 1, clock });
  const [outcome] = await Promise.allSettled([createClusterRateLimiter({ store, node, clock }).admit('a', 1)]);
  expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(TypeError) });
});
