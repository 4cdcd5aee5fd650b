import { heapStats } from 'bun:jsc';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createMethodGlob } from './method-glob.ts';

/** Every way to match the stars, memoized: the definition of a glob, not its search. */
function matchesByDefinition(glob: string, name: string): boolean {
  let reached = new Set([0]);
  for (const unit of glob) {
    if (unit === '*') {
      const min = Math.min(...reached);
      reached = new Set(Array.from({ length: name.length - min + 1 }, (_, at) => min + at));
    } else reached = new Set([...reached].filter((at) => name[at] === unit).map((at) => at + 1));
    if (reached.size === 0) return false;
  }
  return reached.has(name.length);
}

test('a glob matches according to its definition', () => {
  const text = (alphabet: string) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 12 });
  fc.assert(
    fc.property(text('ab*_'), text('ab_'), (glob, name) => {
      expect(createMethodGlob(glob).matches(name)).toBe(matchesByDefinition(glob, name));
    }),
    { numRuns: 5_000 },
  );
});

/** A name that counts the reads of its characters. */
function counting(name: string) {
  let steps = 0;
  const counted = {
    length: name.length,
    startsWith: (text: string) => name.startsWith(text),
    endsWith: (text: string) => name.endsWith(text),
    charCodeAt(at: number) {
      steps++;
      return name.charCodeAt(at);
    },
  };
  return { name: counted as unknown as string, steps: () => steps };
}

test('matching reads each character a bounded number of times, for names of n, 2n and 4n characters and any glob', () => {
  const globs = [
    (n: number) => `*${'a'.repeat(n / 2)}b*`,
    (n: number) => `${'a*'.repeat(n / 4)}b*`,
    (n: number) => `*${'ab*'.repeat(n / 8)}c*`,
    (n: number) => `*${`${'a'.repeat(8)}b*`.repeat(n / 16)}`,
  ];
  for (const globOf of globs)
    for (const n of [1_024, 2_048, 4_096]) {
      const { name, steps } = counting('a'.repeat(n));
      createMethodGlob(globOf(n)).matches(name);
      expect(steps()).toBeLessThanOrEqual(n);
    }
});

test('a glob has one table for any number of stars, because a user may have 10,000 globs', () => {
  const tables = () => heapStats().objectTypeCounts['Uint16Array'] ?? 0;
  const before = tables();
  const globs = Array.from({ length: 1_000 }, (_, nth) => createMethodGlob(`${'*ab'.repeat(40)}${nth}*`));
  const name = 'eth_ababab';
  expect(globs.filter((glob) => glob.matches(name))).toEqual([]);
  expect(tables() - before).toBeLessThanOrEqual(globs.length);
  expect(globs.filter(({ glob, matches }) => matches(glob))).toHaveLength(globs.length);
});
