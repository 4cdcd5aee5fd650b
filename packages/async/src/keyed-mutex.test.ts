import { expect, test } from 'bun:test';
import { KeyedMutex } from './keyed-mutex.ts';

const late = () => new Error('late');

test('work under one key runs one after another in the order of the calls; other keys run concurrently', async () => {
  const mutex = new KeyedMutex();
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = mutex.runExclusive(
    'a',
    1_000,
    async () => {
      events.push('a1');
      await gate.promise;
      events.push('a1 done');
    },
    late,
  );
  const second = mutex.runExclusive('a', 1_000, async () => void events.push('a2'), late);
  await mutex.runExclusive('b', 1_000, async () => void events.push('b'), late);
  expect(events).toEqual(['a1', 'b']);
  gate.resolve();
  await Promise.all([first, second]);
  expect(events).toEqual(['a1', 'b', 'a1 done', 'a2']);
});

test('a call that waits too long rejects and never runs; later calls still wait for the first', async () => {
  const mutex = new KeyedMutex();
  const gate = Promise.withResolvers<void>();
  const events: string[] = [];
  const first = mutex.runExclusive('a', 1_000, () => gate.promise, late);
  const second = mutex.runExclusive('a', 5, async () => void events.push('second'), late);
  const third = mutex.runExclusive('a', 10_000, async () => void events.push('third'), late);
  expect(await second.catch((error: unknown) => String(error))).toBe('Error: late');
  expect(events).toEqual([]);
  gate.resolve();
  await Promise.all([first, third]);
  expect(events).toEqual(['third']);
});

test('a failure rejects only its own call, and no key is stored afterwards', async () => {
  const mutex = new KeyedMutex();
  const failing = mutex.runExclusive('a', 1_000, () => Promise.reject(new Error('mine')), late);
  const next = mutex.runExclusive('a', 1_000, async () => 7, late);
  expect(await failing.catch((error: unknown) => String(error))).toBe('Error: mine');
  expect(await next).toBe(7);
  await Bun.sleep(0);
  expect(mutex.size).toBe(0);
});
