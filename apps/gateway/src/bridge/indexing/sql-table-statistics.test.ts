import { expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Database } from '@flowgate/sql/engine/database';
import { type Dialect, postgresDialect, sqliteDialect } from '@flowgate/sql/engine/dialect';
import type { RelayFact } from '../facts/deposit-facts.ts';
import { noFacts } from '../facts/range-facts.ts';
import { factKinds } from '../sql-fact-kinds.ts';
import { createSqlTableStatistics } from './sql-table-statistics.ts';

function world(dialect: Dialect, fails?: Error) {
  const asked: string[] = [];
  const unused = () => Promise.reject(new Error('not used'));
  const database: Database = {
    ...{ dialect, query: unused, ping: unused, close: unused },
    transaction(statements) {
      asked.push(...statements.map(({ text }) => text));
      return fails === undefined ? Promise.resolve([]) : Promise.reject(fails);
    },
  };
  const refresh = createSqlTableStatistics(database, factKinds);
  const relays = Array.from({ length: 100 }, (): RelayFact => {
    const place = { nth: 0, blockNumber: 1, blockHash: '0x1', logIndex: 0, blockTimeMs: 1 } as const;
    return { ...place, transactionHash: '0x1', messageHash: '0x2', isRelayed: true };
  });
  return { asked, store: () => refresh({ ...noFacts, relays }) };
}

test('PostgreSQL analyzes a table whenever it has doubled, and no other table', async () => {
  const { asked, store } = world(postgresDialect);
  const analyzed: number[] = [];
  for (let rows = 100; rows <= 10_000; rows += 100) {
    const before = asked.length;
    await store();
    if (asked.length > before) analyzed.push(rows);
  }
  expect(analyzed).toEqual([200, 400, 800, 1_600, 3_200, 6_400]);
  expect(new Set(asked)).toEqual(new Set(['ANALYZE bridge_relays']));
});

test('SQLite, whose plans do not depend on statistics, does not analyze', async () => {
  const { asked, store } = world(sqliteDialect(() => 0));
  for (let range = 0; range < 10; range++) await store();
  expect(asked).toEqual([]);
});

test('an unavailable storage changes nothing: what was stored is stored', async () => {
  const { asked, store } = world(postgresDialect, new Unavailable('database', 'away'));
  for (let range = 0; range < 2; range++) await store();
  expect(asked).toHaveLength(1);
});
