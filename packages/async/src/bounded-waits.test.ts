import { expect, spyOn, test } from 'bun:test';
import { pause, settledWithin } from './bounded-waits.ts';

test('a pause removes its listener from the signal', async () => {
  const { signal } = new AbortController();
  const listening = new Set<unknown>();
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  using _added = spyOn(signal, 'addEventListener').mockImplementation(
    (type: string, listener: Parameters<typeof add>[1]) => {
      listening.add(listener);
      add(type, listener);
    },
  );
  using _removed = spyOn(signal, 'removeEventListener').mockImplementation(
    (type: string, listener: Parameters<typeof add>[1]) => {
      listening.delete(listener);
      remove(type, listener);
    },
  );
  const pauses = Array.from({ length: 5 }, () => pause(1, signal));
  expect(listening.size).toBe(5);
  await Promise.all(pauses);
  expect(listening.size).toBe(0);
});

test('a pause ends when its signal is aborted, before it or during it', async () => {
  const stopping = new AbortController();
  const pausing = pause(600_000, stopping.signal);
  stopping.abort();
  await pausing;
  await pause(600_000, stopping.signal);
  expect(stopping.signal.aborted).toBe(true);
});

test("a bounded wait returns the promise's outcome, or the late value after its time", async () => {
  const never = new Promise<string>(() => {});
  expect(await settledWithin(600_000, Promise.resolve('value'), 'late')).toBe('value');
  expect(await settledWithin(1, never, 'late')).toBe('late');
  expect(await settledWithin(1, never)).toBeUndefined();
  await expect(settledWithin(600_000, Promise.reject(new Error('failed')), 'late')).rejects.toThrow('failed');
});

test('a rejection after the time is not an unhandled rejection', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await settledWithin(1, promise, 'late')).toBe('late');
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  reject(new Error('too late'));
  await new Promise(setImmediate);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
