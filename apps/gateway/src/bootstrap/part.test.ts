import { expect, test } from 'bun:test';
import { OpenModules, part } from './part.ts';

/** A module that records the calls to its part. */
function delivery(reported: string[], name: string, more: Parameters<typeof part>[0] = {}) {
  const report = (what: string) => reported.push(`${what} ${name}`);
  return {
    name,
    part: part({
      start: () => report('start'),
      drain() {
        report('drain');
        return 0;
      },
      close: () => void report('close'),
      ...more,
    }),
  };
}

test('parts start in the order in which they were opened, and drain and close in reverse', async () => {
  const reported: string[] = [];
  const parts = new OpenModules();
  for (const name of ['storage', 'keys', 'edge']) expect(parts.open(delivery(reported, name)).name).toBe(name);
  parts.start();
  expect(await parts.drain()).toBe(0);
  await parts.close();
  expect(reported).toEqual([
    ...['start storage', 'start keys', 'start edge'],
    ...['drain edge', 'drain keys', 'drain storage'],
    ...['close edge', 'close keys', 'close storage'],
  ]);
});

test('all parts drain concurrently, and calls cut off are added up', async () => {
  const reported: string[] = [];
  const parts = new OpenModules();
  const calls = Promise.withResolvers<number>();
  parts.open(delivery(reported, 'streams', { drain: () => 2 }));
  parts.open(delivery(reported, 'deliveries'));
  parts.open(delivery(reported, 'server', { drain: () => calls.promise }));
  const drained = parts.drain();
  expect(reported).toEqual(['drain deliveries']);
  calls.resolve(3);
  expect(await drained).toBe(5);
});

test('earlier parts stay open until a later part is closed', async () => {
  const reported: string[] = [];
  const parts = new OpenModules();
  const written = Promise.withResolvers<void>();
  parts.open(delivery(reported, 'database'));
  parts.open(delivery(reported, 'keys', { close: () => written.promise }));
  const closed = parts.close();
  await Promise.resolve();
  expect(reported).toEqual([]);
  written.resolve();
  await closed;
  expect(reported).toEqual(['close database']);
});

test('a part that cannot be drained or closed does not prevent others, and its error is reported', async () => {
  const reported: string[] = [];
  const parts = new OpenModules();
  const fail = () => {
    throw new Error('broken');
  };
  parts.open(delivery(reported, 'first'));
  parts.open(delivery(reported, 'broken', { drain: fail, close: fail }));
  parts.open(delivery(reported, 'rejecting', { close: async () => fail() }));
  parts.open(delivery(reported, 'last'));
  await expect(parts.drain()).rejects.toThrow('broken');
  await expect(parts.close()).rejects.toThrow();
  expect(reported).toEqual(['drain last', 'drain rejecting', 'drain first', 'close last', 'close first']);
});

test('parts are closed once, whether they were started or not', async () => {
  const reported: string[] = [];
  const parts = new OpenModules();
  parts.open(delivery(reported, 'never started'));
  await parts.close();
  await parts.close();
  expect(reported).toEqual(['close never started']);
});

test('members that a module omits do nothing', async () => {
  const parts = new OpenModules();
  parts.open({ part: part() });
  parts.start();
  expect([parts.routes, await parts.drain(), await parts.close()]).toEqual([[], 0, undefined]);
});
