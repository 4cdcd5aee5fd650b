import { Database as Sqlite } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { SqliteStatements } from './sqlite-statements.ts';

const texts = (count: number) => Array.from({ length: count }, (_, at) => `SELECT ${at} AS value, ? AS given`);

function opened(most?: number) {
  const connection = new Sqlite(':memory:');
  let prepared = 0;
  const prepare = connection.prepare.bind(connection);
  connection.prepare = (...given: Parameters<typeof prepare>) => {
    prepared += 1;
    return prepare(...given);
  };
  return { statements: new SqliteStatements(connection, most), prepared: () => prepared, connection };
}

test('each of many texts is prepared once', () => {
  const { statements, prepared, connection } = opened();
  for (let round = 0; round < 3; round++)
    for (const [at, text] of texts(200).entries())
      expect(statements.of(text).all(round)).toEqual([{ value: at, given: round }]);
  expect(prepared()).toBe(200);
  connection.close();
});

test('beyond the room the one that was used longest ago is forgotten, and prepared again when it is asked for', () => {
  const { statements, prepared, connection } = opened(3);
  const [a = '', b = '', c = '', d = ''] = texts(4);
  const first = statements.of(a);
  for (const text of [b, c, a, d]) statements.of(text).all(1);
  expect(prepared()).toBe(4);
  // `b` went, `a` had been used since.
  expect(statements.of(a)).toBe(first);
  statements.of(b).all(1);
  expect(prepared()).toBe(5);
  for (const text of [a, c, d, b]) expect(statements.of(text).all(2)).toHaveLength(1);
  connection.close();
});
