import { expect, test } from 'bun:test';
import { createReadGate } from './read-gate.ts';

test('ranges that wait for nodes delay no other stream, and no more ranges are read at once than allowed', async () => {
  const gate = createReadGate(2);
  const order: string[] = [];
  const ends = new Map<string, () => void>();
  const read = (streamId: string, name: string) =>
    gate(streamId, () => {
      order.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await Bun.sleep(0);
  };
  const slow = ['s1', 's2', 's3'].map((name) => read('slow', name));
  const other = ['o1', 'o2'].map((name) => read('other', name));
  await Bun.sleep(0);
  expect(order).toEqual(['s1', 's2', 'o1']);
  await end('o1');
  expect(order).toEqual(['s1', 's2', 'o1', 'o2']);
  await end('o2');
  await end('s1');
  expect(order).toEqual(['s1', 's2', 'o1', 'o2', 's3']);
  for (const name of ['s2', 's3']) await end(name);
  await Promise.all([...slow, ...other]);
});
