import { expect, test } from 'bun:test';
import { moduleHooks, OpenModules } from './open-modules.ts';

/** A module that records the calls to its hooks. */
function delivery(reported: string[], name: string, more: Parameters<typeof moduleHooks>[0] = {}) {
  const report = (what: string) => reported.push(`${what} ${name}`);
  return {
    name,
    hooks: moduleHooks({
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

test('modules start in the order in which they were opened, and drain and close in reverse', async () => {
  const reported: string[] = [];
  const opened = new OpenModules();
  for (const name of ['storage', 'keys', 'edge']) expect(opened.open(delivery(reported, name)).name).toBe(name);
  opened.start();
  expect(await opened.drain()).toBe(0);
  await opened.close();
  expect(reported).toEqual([
    ...['start storage', 'start keys', 'start edge'],
    ...['drain edge', 'drain keys', 'drain storage'],
    ...['close edge', 'close keys', 'close storage'],
  ]);
});

test('all modules drain concurrently, and calls cut off are added up', async () => {
  const reported: string[] = [];
  const opened = new OpenModules();
  const calls = Promise.withResolvers<number>();
  opened.open(delivery(reported, 'streams', { drain: () => 2 }));
  opened.open(delivery(reported, 'deliveries'));
  opened.open(delivery(reported, 'server', { drain: () => calls.promise }));
  const drained = opened.drain();
  expect(reported).toEqual(['drain deliveries']);
  calls.resolve(3);
  expect(await drained).toBe(5);
});

test('earlier modules stay open until a later module is closed', async () => {
  const reported: string[] = [];
  const opened = new OpenModules();
  const written = Promise.withResolvers<void>();
  opened.open(delivery(reported, 'database'));
  opened.open(delivery(reported, 'keys', { close: () => written.promise }));
  const closed = opened.close();
  await Promise.resolve();
  expect(reported).toEqual([]);
  written.resolve();
  await closed;
  expect(reported).toEqual(['close database']);
});

test('a module that cannot be drained or closed does not prevent others, and its error is reported', async () => {
  const reported: string[] = [];
  const opened = new OpenModules();
  const fail = () => {
    throw new Error('broken');
  };
  opened.open(delivery(reported, 'first'));
  opened.open(delivery(reported, 'broken', { drain: fail, close: fail }));
  opened.open(delivery(reported, 'rejecting', { close: async () => fail() }));
  opened.open(delivery(reported, 'last'));
  await expect(opened.drain()).rejects.toThrow('broken');
  await expect(opened.close()).rejects.toThrow();
  expect(reported).toEqual(['drain last', 'drain rejecting', 'drain first', 'close last', 'close first']);
});

test('modules are closed once, whether they were started or not', async () => {
  const reported: string[] = [];
  const opened = new OpenModules();
  opened.open(delivery(reported, 'never started'));
  await opened.close();
  await opened.close();
  expect(reported).toEqual(['close never started']);
});

test('members that a module omits do nothing', async () => {
  const opened = new OpenModules();
  opened.open({ hooks: moduleHooks() });
  opened.start();
  expect([opened.routes, await opened.drain(), await opened.close()]).toEqual([[], 0, undefined]);
});
