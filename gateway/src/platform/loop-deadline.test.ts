import { expect, test } from 'bun:test';
import { startLoopDeadline } from './loop-deadline.ts';

test('what a loop that stood still has kept waiting is heard first; what does not come is over all the same', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const stop = startLoopDeadline(50, () => resolve('over'));
  // Real time: an answer that is ready while the loop stands still.
  setTimeout(() => setTimeout(() => resolve('answered'), 5), 40);
  // Real time: the event loop stands still.
  Bun.sleepSync(200);
  expect(await promise).toBe('answered');
  stop();
  const never = Promise.withResolvers<string>();
  startLoopDeadline(20, () => never.resolve('over'));
  // Real time: the event loop stands still.
  Bun.sleepSync(100);
  expect(await never.promise).toBe('over');
});

test('a deadline that was stopped is never over, before and after it was put off', async () => {
  const over: number[] = [];
  const stops = [30, 60].map((ms) => startLoopDeadline(ms, () => over.push(ms)));
  stops[0]?.();
  // Real time: the event loop stands still.
  Bun.sleepSync(150);
  await Bun.sleep(0);
  stops[1]?.();
  const { promise, resolve } = Promise.withResolvers<void>();
  startLoopDeadline(100, resolve);
  await promise;
  expect(over).toEqual([]);
});
