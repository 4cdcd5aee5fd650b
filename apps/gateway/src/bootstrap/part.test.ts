import { expect, test } from 'bun:test';
import { Parts, part } from './part.ts';

/** A room that records the calls to its part. */
function telling(told: string[], name: string, more: Parameters<typeof part>[0] = {}) {
  const tell = (what: string) => told.push(`${what} ${name}`);
  return {
    name,
    part: part({
      start: () => tell('start'),
      drain() {
        tell('drain');
        return 0;
      },
      close: () => void tell('close'),
      ...more,
    }),
  };
}

test('parts start in the order in which they were opened, and drain and close in reverse', async () => {
  const told: string[] = [];
  const parts = new Parts();
  for (const name of ['storage', 'keys', 'edge']) expect(parts.open(telling(told, name)).name).toBe(name);
  parts.start();
  expect(await parts.drain()).toBe(0);
  await parts.close();
  expect(told).toEqual([
    ...['start storage', 'start keys', 'start edge'],
    ...['drain edge', 'drain keys', 'drain storage'],
    ...['close edge', 'close keys', 'close storage'],
  ]);
});

test('all parts drain at once: none waits for another that has calls to finish, and what was cut off is added up', async () => {
  const told: string[] = [];
  const parts = new Parts();
  const calls = Promise.withResolvers<number>();
  parts.open(telling(told, 'streams', { drain: () => 2 }));
  parts.open(telling(told, 'deliveries'));
  parts.open(telling(told, 'server', { drain: () => calls.promise }));
  const drained = parts.drain();
  expect(told).toEqual(['drain deliveries']);
  calls.resolve(3);
  expect(await drained).toBe(5);
});

test('a part that is being closed has what was opened before it, until it is done', async () => {
  const told: string[] = [];
  const parts = new Parts();
  const written = Promise.withResolvers<void>();
  parts.open(telling(told, 'database'));
  parts.open(telling(told, 'keys', { close: () => written.promise }));
  const closed = parts.close();
  await Promise.resolve();
  expect(told).toEqual([]);
  written.resolve();
  await closed;
  expect(told).toEqual(['close database']);
});

test('a part that cannot be drained or closed keeps no other from it, and is told of', async () => {
  const told: string[] = [];
  const parts = new Parts();
  const fail = () => {
    throw new Error('broken');
  };
  parts.open(telling(told, 'first'));
  parts.open(telling(told, 'broken', { drain: fail, close: fail }));
  parts.open(telling(told, 'rejecting', { close: async () => fail() }));
  parts.open(telling(told, 'last'));
  await expect(parts.drain()).rejects.toThrow('broken');
  await expect(parts.close()).rejects.toThrow();
  expect(told).toEqual(['drain last', 'drain rejecting', 'drain first', 'close last', 'close first']);
});

test('parts are closed once, whether they were started or not', async () => {
  const told: string[] = [];
  const parts = new Parts();
  parts.open(telling(told, 'never started'));
  await parts.close();
  await parts.close();
  expect(told).toEqual(['close never started']);
});

test('what a room does not need is nothing', async () => {
  const parts = new Parts();
  parts.open({ part: part() });
  parts.start();
  expect([parts.routes, await parts.drain(), await parts.close()]).toEqual([[], 0, undefined]);
});
