import { expect, test } from 'bun:test';
import { createFairQueue } from './fair-queue.ts';

/** Work that ends when the test says so. */
function heldWork() {
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

test('owners take turns, and one has no more than a few places', async () => {
  const held = heldWork();
  const queue = createFairQueue<string>({ most: 3, mostOfOwner: 2, work: held.work });
  for (let at = 0; at < 5; at++) queue.add('a', `a${at}`);
  for (const owner of ['b', 'c']) for (let at = 0; at < 2; at++) queue.add(owner, `${owner}${at}`);
  expect(held.begun).toEqual(['a0', 'a1', 'b0']);
  expect(queue.stats()).toEqual({ running: 3, waiting: 6 });
  for (let at = 0; at < 6; at++) {
    held.endOne();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  expect(held.begun.slice(3)).toEqual(['b1', 'c0', 'a2', 'c1', 'a3', 'a4']);
});

test('everything that was added is done once, whatever the order of ends', async () => {
  const done: number[] = [];
  let most = 0;
  let running = 0;
  const queue = createFairQueue<number>({
    most: 7,
    mostOfOwner: 2,
    async work(item) {
      running++;
      most = Math.max(most, running);
      for (let at = 0; at < 3 + (item % 5); at++) await Promise.resolve();
      running--;
      done.push(item);
    },
  });
  for (let item = 0; item < 500; item++) queue.add(`owner ${item % 11}`, item);
  while (queue.stats().running > 0) await Promise.resolve();
  expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, at) => at));
  expect(most).toBe(7);
});
