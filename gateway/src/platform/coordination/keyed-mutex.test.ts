import { expect, test } from 'bun:test';
import { Turns } from './keyed-mutex.ts';

const late = () => new Error('late');

test('what bears one name runs one after another in the order of asking, other names at once', async () => {
  const turns = new Turns();
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns.take(
    'a',
    1_000,
    async () => {
      events.push('a1');
      await gate.promise;
      events.push('a1 done');
    },
    late,
  );
  const second = turns.take('a', 1_000, async () => void events.push('a2'), late);
  await turns.take('b', 1_000, async () => void events.push('b'), late);
  expect(events).toEqual(['a1', 'b']);
  gate.resolve();
  await Promise.all([first, second]);
  expect(events).toEqual(['a1', 'b', 'a1 done', 'a2']);
});

test('who waits too long is told so and never runs; those behind still wait for the first', async () => {
  const turns = new Turns();
  const gate = Promise.withResolvers<void>();
  const events: string[] = [];
  const first = turns.take('a', 1_000, () => gate.promise, late);
  const second = turns.take('a', 5, async () => void events.push('second'), late);
  const third = turns.take('a', 10_000, async () => void events.push('third'), late);
  expect(await second.catch((error: unknown) => String(error))).toBe('Error: late');
  expect(events).toEqual([]);
  gate.resolve();
  await Promise.all([first, third]);
  expect(events).toEqual(['third']);
});

test('a failure is its own caller’s, and nothing is kept afterwards', async () => {
  const turns = new Turns();
  const failing = turns.take('a', 1_000, () => Promise.reject(new Error('mine')), late);
  const next = turns.take('a', 1_000, async () => 7, late);
  expect(await failing.catch((error: unknown) => String(error))).toBe('Error: mine');
  expect(await next).toBe(7);
  await Bun.sleep(0);
  expect(turns.size).toBe(0);
});
