import { expect, spyOn, test } from 'bun:test';
import { pause } from './bounded-waits.ts';

test('pauses leave no listener on the signal that outlives them', async () => {
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

test('a pause ends when its signal is aborted, before or meanwhile', async () => {
  const stopping = new AbortController();
  const pausing = pause(600_000, stopping.signal);
  stopping.abort();
  await pausing;
  await pause(600_000, stopping.signal);
  expect(stopping.signal.aborted).toBe(true);
});
