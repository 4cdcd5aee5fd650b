import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { RoundRobin } from './round-robin.ts';

/** Work that ends when the test decides. */
function blockedWork() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (item: string) => {
    begun.push(item);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    return promise;
  };
  return { begun, work, endOne: () => ends.shift()?.() };
}

test('owners take turns, and one runs at most its limit', async () => {
  const blocked = blockedWork();
  const queue = new RoundRobin<string>({
    ...{ maxRunning: 3, maxRunningOfOwner: 2 },
    ownerOf: (item) => item[0] ?? '',
    work: blocked.work,
  });
  queue.add(['a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'b1', 'c0', 'c1']);
  expect(blocked.begun).toEqual(['a0', 'b0', 'c0']);
  expect(queue.stats()).toEqual({ running: 3, waiting: 6 });
  for (let at = 0; at < 6; at++) {
    blocked.endOne();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  expect(blocked.begun.slice(3)).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  // One slot is free, but not for a third item of this owner.
  expect(queue.stats()).toEqual({ running: 2, waiting: 1 });
  expect([queue.isBusy('a'), queue.isBusy('b'), queue.isBusy('c')]).toEqual([true, false, false]);
});

test('every added item is done once, in any order of completion', async () => {
  const done: number[] = [];
  let max = 0;
  let running = 0;
  const queue = new RoundRobin<number>({
    maxRunning: 7,
    maxRunningOfOwner: 2,
    ownerOf: (item) => `owner ${item % 11}`,
    async work(item) {
      running++;
      max = Math.max(max, running);
      for (let at = 0; at < 3 + (item % 5); at++) await Promise.resolve();
      running--;
      done.push(item);
    },
  });
  for (let item = 0; item < 500; item += 50) queue.add(Array.from({ length: 50 }, (_, nth) => item + nth));
  await queue.idle();
  expect(queue.stats()).toEqual({ running: 0, waiting: 0 });
  expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, at) => at));
  expect(max).toBe(7);
});

test('`idle` resolves at once when nothing runs, and again after every round', async () => {
  const blocked = blockedWork();
  const queue = new RoundRobin<string>({ maxRunning: 1, maxRunningOfOwner: 1, ownerOf: () => 'a', work: blocked.work });
  await queue.idle();
  queue.add([]);
  await queue.idle();
  for (let round = 0; round < 2; round++) {
    queue.add(['x', 'y']);
    let isIdle = false;
    const waiting = queue.idle().then(() => {
      isIdle = true;
    });
    blocked.endOne();
    await until(() => blocked.begun.length === 2 * round + 2);
    expect([isIdle, queue.isBusy('a')]).toEqual([false, true]);
    blocked.endOne();
    await waiting;
    expect(queue.isBusy('a')).toBe(false);
  }
});
