import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { inChunks } from './in-chunks.ts';

test('chunks contain every item once, in order, and only the last one may be shorter', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 40 }), (items, size) => {
      const chunks = inChunks(items, size);
      expect(chunks.flat()).toEqual(items);
      expect(chunks.slice(0, -1).every(({ length }) => length === size)).toBe(true);
      const last = chunks.at(-1)?.length ?? 1;
      expect(last > 0 && last <= size).toBe(true);
    }),
  );
  expect(inChunks([], 5)).toEqual([]);
});
