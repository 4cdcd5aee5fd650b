import { expect, test } from 'bun:test';
import { createTimeFairQueue } from './time-fair-queue.ts';

const limits = { max: 100, maxOfOwner: 100 };

/** Serves all waiting entries, charges each one's cost to its owner, and returns the order. */
function served(queue: ReturnType<typeof createTimeFairQueue<string>>, msOf: (owner: string) => number): string[] {
  const order: string[] = [];
  for (let turn = queue.next(); turn !== undefined; turn = queue.next()) {
    order.push(turn.item);
    queue.charge(turn.owner, msOf(turn.owner));
  }
  return order;
}

function filled(...items: readonly string[]) {
  const queue = createTimeFairQueue<string>(limits);
  for (const item of items) queue.add(item[0] ?? '', item);
  return queue;
}

test('owners whose entries cost the same take turns, with the entries of each in order', () => {
  expect(served(filled('a1', 'a2', 'a3', 'b1', 'b2', 'c1'), () => 10)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('the queue shares time, not turns: an owner whose entries are ten times cheaper gets ten of them served for one', () => {
  const queue = filled('a1', 'a2', ...Array.from({ length: 11 }, (_, at) => `b${at}`));
  const order = served(queue, (owner) => (owner === 'a' ? 100 : 10));
  expect(order.indexOf('a2')).toBe(11);
});

test('an owner who comes late is next, and has saved no time while idle', () => {
  const queue = filled('a1', 'a2', 'a3', 'a4');
  for (let nth = 0; nth < 2; nth++) {
    queue.next();
    queue.charge('a', 1_000);
  }
  for (const item of ['b1', 'b2', 'b3']) queue.add('b', item);
  expect(served(queue, () => 1_000)).toEqual(['b1', 'a3', 'b2', 'a4', 'b3']);
});

test('waiting entries of one owner and of all owners are limited, and a removed entry frees its slot', () => {
  const queue = createTimeFairQueue<string>({ max: 3, maxOfOwner: 2 });
  expect(['a1', 'a2', 'a3'].map((item) => queue.add('a', item))).toEqual([true, true, false]);
  expect(['b1', 'b2'].map((item) => queue.add('b', item))).toEqual([true, false]);
  expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('c', 'c1')]).toEqual([true, false, false]);
  expect(queue.add('b', 'b2')).toBe(true);
  expect(served(queue, () => 1)).toEqual(['a2', 'b1', 'b2']);
  expect(queue.next()).toBeUndefined();
});
