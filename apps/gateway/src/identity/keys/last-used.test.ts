import { expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import { createLastUsed } from './last-used.ts';

function storage() {
  const written: [string, number][][] = [];
  let gate: Promise<void> = Promise.resolve();
  return {
    written,
    hold(until: Promise<void>) {
      gate = until;
    },
    touch: async (uses: ReadonlyMap<string, number>) => {
      const batch = [...uses];
      await gate;
      written.push(batch);
    },
  };
}

test('uses are written in one batch, each key once with its latest time (contract/keys#the-ten-keys)', async () => {
  const store = storage();
  const lastUsed = createLastUsed(store);
  lastUsed.record('a', 1);
  lastUsed.record('b', 2);
  lastUsed.record('a', 3);
  expect(await lastUsed.flush()).toBe(true);
  expect(await lastUsed.flush()).toBe(true);
  expect(store.written).toEqual([
    [
      ['a', 3],
      ['b', 2],
    ],
  ]);
});

test('a reader created before the storage was read knows what a flush wrote meanwhile', async () => {
  const lastUsed = createLastUsed(storage());
  lastUsed.record('a', 5);
  const read = lastUsed.reader();
  await lastUsed.flush();
  expect(read('a')).toBe(5);
  lastUsed.record('a', 6);
  expect(read('a')).toBe(6);
  expect(lastUsed.reader()('b')).toBeUndefined();
});

test('a reader created while a flush is in progress knows its batch', async () => {
  const store = storage();
  const gate = Promise.withResolvers<void>();
  store.hold(gate.promise);
  const lastUsed = createLastUsed(store);
  lastUsed.record('a', 5);
  const flushed = lastUsed.flush();
  await Promise.resolve();
  expect(lastUsed.reader()('a')).toBe(5);
  gate.resolve();
  await flushed;
});

test('a failed batch is retained for the next flush, and newer uses override it', async () => {
  const store = storage();
  const broken = { touch: async () => Promise.reject(new Unavailable('database', 'gone')) };
  let isUnavailable = true;
  const lastUsed = createLastUsed({ touch: (uses) => (isUnavailable ? broken.touch() : store.touch(uses)) });
  lastUsed.record('a', 1);
  lastUsed.record('b', 1);
  const flushing = lastUsed.flush();
  lastUsed.record('a', 9);
  expect(await flushing).toBe(false);
  expect(lastUsed.reader()('b')).toBe(1);
  isUnavailable = false;
  expect(await lastUsed.flush()).toBe(true);
  expect(new Map(store.written[0])).toEqual(
    new Map([
      ['a', 9],
      ['b', 1],
    ]),
  );
});

test('flush waits for the flush in progress and writes later uses (drain)', async () => {
  const store = storage();
  const gate = Promise.withResolvers<void>();
  store.hold(gate.promise);
  const lastUsed = createLastUsed(store);
  lastUsed.record('a', 1);
  const first = lastUsed.flush();
  await Promise.resolve();
  lastUsed.record('b', 2);
  const second = lastUsed.flush();
  gate.resolve();
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(store.written).toEqual([[['a', 1]], [['b', 2]]]);
});

test('memory stays bounded while the storage is unavailable', async () => {
  const lastUsed = createLastUsed({ touch: async () => Promise.reject(new Unavailable('database', 'gone')) }, 3);
  for (let round = 0; round < 10; round++) {
    lastUsed.record(`first ${round}`, round);
    await lastUsed.flush();
    lastUsed.record(`second ${round}`, round);
  }
  const known = lastUsed.reader();
  const names = Array.from({ length: 10 }, (_, at) => [`first ${at}`, `second ${at}`]).flat();
  expect(names.filter((name) => known(name) !== undefined)).toHaveLength(3);
  expect(known('second 9')).toBe(9);
});
