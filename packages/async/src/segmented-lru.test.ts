/** Items that are used again stay, however many others are added once. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LruItem, SegmentedLru } from './segmented-lru.ts';

class Named extends LruItem<Named> {
  constructor(
    readonly name: string,
    bytes: number,
  ) {
    super(bytes);
  }
}

function lruOf(maxBytes: number) {
  const evicted: string[] = [];
  const lru = new SegmentedLru<Named>(maxBytes, ({ name }) => evicted.push(name));
  return { lru, evicted };
}

test('the oldest item is evicted first, unless it was used', () => {
  const { lru, evicted } = lruOf(100);
  const items = ['a', 'b', 'c'].map((name) => new Named(name, 15));
  for (const item of items) lru.add(item);
  const [a] = items;
  if (a !== undefined) lru.use(a, 'alice');
  for (const name of ['d', 'e', 'f', 'g', 'h']) lru.add(new Named(name, 15));
  expect(evicted).toEqual(['b', 'c']);
  expect(lru.bytes).toBe(90);
});

test('a scan evicts no items that are protected for other owners, even when it uses all of its own twice', () => {
  const { lru, evicted } = lruOf(10_000);
  for (const owner of ['alice', 'bob', 'carol'])
    for (let nth = 0; nth < 19; nth++) {
      const item = new Named(`${owner} ${nth}`, 100);
      lru.add(item);
      lru.use(item, owner);
    }
  for (let nth = 0; nth < 2_000; nth++) {
    const item = new Named('scanned', 100);
    lru.add(item);
    lru.use(item, 'mallory');
    lru.use(item, 'mallory');
  }
  expect(new Set(evicted)).toEqual(new Set(['scanned']));
  expect(lru.bytes).toBe(10_000);
});

test('an item larger than the bound is evicted at once, and `remove` does not report an eviction', () => {
  const { lru, evicted } = lruOf(10);
  const small = new Named('small', 5);
  lru.add(small);
  lru.add(new Named('large', 11));
  expect(evicted).toEqual(['small', 'large']);
  const item = new Named('item', 5);
  lru.add(item);
  lru.use(item, 'alice');
  lru.remove(item);
  lru.remove(item);
  expect([lru.bytes, evicted.length]).toEqual([0, 2]);
});

test('after any operations, `bytes` is the sum of the items, and within the bound', () => {
  const step = fc.record({
    what: fc.constantFrom('add', 'use', 'remove'),
    nth: fc.nat(40),
    owner: fc.constantFrom('a', 'b', 'c', 'd'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const present = new Set<Named>();
      const lru = new SegmentedLru<Named>(1_000, (item) => present.delete(item));
      for (const { what, nth, owner } of steps) {
        const item = [...present][nth % Math.max(1, present.size)];
        if (what === 'add') {
          const added = new Named('', 10 + nth * 7);
          present.add(added);
          lru.add(added);
        } else if (item !== undefined && what === 'use') lru.use(item, owner);
        else if (item !== undefined) {
          lru.remove(item);
          present.delete(item);
        }
        expect(lru.bytes).toBe([...present].reduce((sum, { bytes }) => sum + bytes, 0));
        expect(lru.bytes).toBeLessThanOrEqual(1_000);
      }
    }),
    { numRuns: 60, seed: 12 },
  );
});
