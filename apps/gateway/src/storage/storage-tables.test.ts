/** Checks that the tables' descriptors match the catalog of a freshly migrated database, on every engine. */

import { expect, test } from 'bun:test';
import type { Database } from '@flowgate/sql/engine/database';
import { bookkeepingTables } from '@flowgate/sql/engine/schema';
import { onEveryEngine } from '../../test/fixtures/sql-engines.ts';
import { movedTables, tables, unmovedTables } from './storage-tables.ts';

/** `name type` of each column, by table. `NULL` marks nullable columns, and `KEY` the primary key. */
type Catalog = Readonly<Record<string, readonly string[]>>;

onEveryEngine((engine, open) => {
  test('every table of the database is described: its columns, their types, which are nullable, and its key', async () => {
    const { database, close } = await open();
    const { schema_migrations: history, database_identity: identity, ...data } = await catalogOf(database);
    await close();
    const described = tables.map(({ name, primaryKey, columns }) => [
      name,
      Object.values(columns)
        .map((column) => columnText(column.name, column.type, column.isNullable, column.name === primaryKey))
        .sort(),
    ]);
    expect(Object.fromEntries(described)).toEqual(data);
    expect([history, identity]).not.toContain(undefined);
    expect(Object.keys(data).length).toBeGreaterThan(15);
    if (engine === 'PostgreSQL') expect(await notComparedByBytes(database)).toEqual([]);
  });
});

test('every table is moved, or listed as not moved with the reason', () => {
  const all = [...tables.map(({ name }) => name), ...bookkeepingTables];
  const [moved, unmoved] = [movedTables.map(({ name }) => name), Object.keys(unmovedTables)];
  expect([...moved, ...unmoved].sort()).toEqual(all.sort());
  for (const reason of Object.values(unmovedTables)) expect(reason.length).toBeGreaterThan(20);
});

function columnText(name: string, type: string, isNullable: boolean, isKey: boolean): string {
  return `${name} ${type}${isNullable ? ' NULL' : ''}${isKey ? ' KEY' : ''}`;
}

async function catalogOf(database: Database): Promise<Catalog> {
  const text =
    database.dialect.engine === 'sqlite'
      ? `SELECT tables.name AS table_name, columns.name AS column_name, columns.type AS type,
          columns."notnull" = 0 AS is_nullable, columns.pk > 0 AS is_key
        FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`
      : `SELECT columns.table_name, columns.column_name, upper(columns.data_type) AS type,
          columns.is_nullable = 'YES' AS is_nullable, keys.column_name IS NOT NULL AS is_key
        FROM information_schema.columns AS columns
        LEFT JOIN information_schema.key_column_usage AS keys
          ON keys.table_schema = columns.table_schema AND keys.table_name = columns.table_name AND keys.column_name = columns.column_name
        WHERE columns.table_schema = current_schema()`;
  const catalog: Record<string, string[]> = {};
  for (const row of await database.query(text, [])) {
    const [table, column, type] = [row['table_name'], row['column_name'], row['type']].map(String);
    const described = columnText(column ?? '', type ?? '', Boolean(row['is_nullable']), Boolean(row['is_key']));
    catalog[table ?? ''] = [...(catalog[table ?? ''] ?? []), described].sort();
  }
  return catalog;
}

/** Paging and moving data rely on the same order of texts in every engine. */
async function notComparedByBytes(database: Database): Promise<readonly unknown[]> {
  return database.query(
    `SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`,
    [],
  );
}
