import { expect, test } from 'bun:test';
import { list, raw, sql } from './sql-text.ts';

type Part = Exclude<Parameters<typeof sql>[1], undefined>;

/** One call site with varying parts. */
const at = (columns: Part, condition: Part) => sql`SELECT ${columns} FROM t WHERE ${condition};`;

test('values become placeholders, and fragments are inserted with their values, in any mixture at one place', () => {
  const condition = sql`a = ${1} AND b = ${null}`;
  const mixtures: readonly (readonly [readonly [Part, Part], string, readonly Exclude<Part, object>[]])[] = [
    [['x', 2], 'SELECT ? FROM t WHERE ?;', ['x', 2]],
    [[raw('a, b'), condition], 'SELECT a, b FROM t WHERE a = ? AND b = ?;', [1, null]],
    [['x', condition], 'SELECT ? FROM t WHERE a = ? AND b = ?;', ['x', 1, null]],
    [[raw('?'), null], 'SELECT ? FROM t WHERE ?;', [null]],
    [[raw(''), raw('')], 'SELECT  FROM t WHERE ;', []],
    [[list([1, 2]), list([raw('c'), 3])], 'SELECT ?, ? FROM t WHERE c, ?;', [1, 2, 3]],
  ];
  // The second round reads the cached texts.
  for (let round = 0; round < 2; round++)
    for (const [parts, text, values] of mixtures) expect(at(...parts)).toEqual({ text, values: [...values] });
});

test('more fragments than are cached at one place, and longer ones, are combined correctly', () => {
  for (let round = 0; round < 2; round++)
    for (let length = 1; length < 2_000; length += length < 100 ? 1 : 211) {
      const numbers = Array.from({ length }, (_, nth) => nth);
      expect(at(list(numbers), length)).toEqual({
        text: `SELECT ${numbers.map(() => '?').join(', ')} FROM t WHERE ?;`,
        values: [...numbers, length],
      });
    }
});
