import { expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import fc from 'fast-check';
import { BoundedMap, memoized } from './bounded-map.ts';
import { ExpiringMap } from './expiring-map.ts';

const keys = fc.integer({ min: 0, max: 12 });
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('set' as const), key: keys, value: fc.integer() }),
    fc.record({ kind: fc.constant('delete' as const), key: keys }),
    fc.record({ kind: fc.constant('clear' as const) }),
  ),
  { maxLength: 200 },
);

test('a bounded map behaves like a list of pairs from which the oldest are dropped', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 8 }), (all, max) => {
      const map = new BoundedMap<number, number>(max);
      let model: { key: number; value: number }[] = [];
      for (const step of all) {
        if (step.kind === 'clear') {
          map.clear();
          model = [];
        } else {
          const { key } = step;
          const isThere = model.some((each) => each.key === key);
          model = model.filter((each) => each.key !== key);
          if (step.kind === 'delete') expect(map.delete(key)).toBe(isThere);
          else {
            map.set(key, step.value);
            model = [...model, { key, value: step.value }].slice(-max);
          }
        }
        expect(map.size).toBe(model.length);
        expect(map.oldest?.key).toBe(model[0]?.key);
        expect(map.oldest?.value).toBe(model[0]?.value);
        for (let key = 0; key <= 12; key++) {
          expect(map.get(key)).toBe(model.find((each) => each.key === key)?.value);
          expect(map.has(key)).toBe(model.some((each) => each.key === key));
        }
      }
    }),
  );
});

test('a memoized function computes a value once, also an undefined one, and again after it was evicted', () => {
  const computed: string[] = [];
  const lengthOf = memoized(2, (text: string) => {
    computed.push(text);
    return text === '' ? undefined : text.length;
  });
  expect([lengthOf(''), lengthOf('a'), lengthOf(''), lengthOf('a')]).toEqual([undefined, 1, undefined, 1]);
  expect(computed).toEqual(['', 'a']);
  expect([lengthOf('bb'), lengthOf('')]).toEqual([2, undefined]);
  expect(computed).toEqual(['', 'a', 'bb', '']);
});

test('a memoized function that throws caches nothing', () => {
  let tries = 0;
  const work = memoized(2, (_: string) => {
    tries++;
    if (tries === 1) throw new Error('failed');
    return tries;
  });
  expect(() => work('a')).toThrow('failed');
  expect([work('a'), work('a')]).toEqual([2, 2]);
});

test('an entry of an expiring map is valid for its time, and again after it is set again', () => {
  const clock = createManualClock();
  const map = new ExpiringMap<string, number>(clock, 100, 10);
  map.set('a', 1);
  clock.advance(60);
  map.set('b', 2);
  map.set('a', 3);
  clock.advance(60);
  expect([map.get('a'), map.get('b')]).toEqual([3, 2]);
  clock.advance(40);
  expect([map.get('a'), map.get('b')]).toEqual([undefined, undefined]);
});

test('expired entries are removed as new ones are added, and the oldest beyond the bound', () => {
  const clock = createManualClock();
  const map = new ExpiringMap<number, number>(clock, 100, 10);
  for (let key = 0; key < 20; key++) map.set(key, key);
  expect(map.size).toBe(10);
  expect([map.get(9), map.get(10)]).toEqual([undefined, 10]);
  clock.advance(100);
  for (let key = 20; key < 30; key++) map.set(key, key);
  expect(map.size).toBe(10);
  map.delete(29);
  expect([map.get(29), map.get(28)]).toEqual([undefined, 28]);
});
