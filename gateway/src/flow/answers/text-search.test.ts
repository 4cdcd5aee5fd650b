import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createTextSearch } from './text-search.ts';

test('finds what String.includes finds, whatever is looked for in whatever', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\ud83d', '\ude00'), maxLength: 30 });
  const wanted = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\ud83d'), minLength: 1, maxLength: 5 }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(wanted, text, (texts, searched) => {
      expect(createTextSearch(texts)(searched)).toBe(texts.some((each) => searched.includes(each)));
    }),
  );
});

test('nothing is found where nothing is looked for', () => {
  expect(createTextSearch([])('anything')).toBe(false);
});
