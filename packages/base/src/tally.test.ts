import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Tally } from './tally.ts';

test("a name's count is the sum of additions minus removals, and a name with count 0 is not stored", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', '__proto__'), fc.nat({ max: 5 }))), (steps) => {
      const tally = new Tally();
      const model = new Map<string, number>();
      for (const [name, by] of steps) {
        const had = model.get(name) ?? 0;
        if (by % 2 === 0) {
          tally.add(name, by);
          model.set(name, had + by);
        } else if (had >= by) {
          tally.remove(name, by);
          model.set(name, had - by);
        } else expect(() => tally.remove(name, by)).toThrow(RangeError);
      }
      const left = [...model].filter(([, count]) => count > 0);
      expect(new Map(tally.counts)).toEqual(new Map(left));
      expect(tally.total).toBe(left.reduce((sum, [, count]) => sum + count, 0));
      for (const [name, count] of model) expect(tally.of(name)).toBe(count);
    }),
  );
});

test('the default is one, and `counts` is a live view', () => {
  const tally = new Tally();
  const { counts } = tally;
  tally.add('a');
  tally.add('a');
  tally.remove('a');
  expect([tally.of('a'), counts.get('a'), tally.of('b')]).toEqual([1, 1, 0]);
  tally.remove('a');
  expect([counts.size, tally.total]).toEqual([0, 0]);
});
