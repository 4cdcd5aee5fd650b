import { expect, test } from 'bun:test';
import { bookkeeping, bookkeepingTables, type Migration, migrationChecksum, pendingMigrations } from './schema.ts';
import { UnusableDatabase } from './unusable-database.ts';

const one: Migration = { version: 1, name: 'one', statements: ['CREATE TABLE a (b TEXT)'] };
const two: Migration = { version: 2, name: 'two', statements: ['CREATE TABLE c (d TEXT)'] };
const applied = (migration: Migration) => ({ version: migration.version, checksum: migrationChecksum(migration) });

test('a new database gets every migration in order, an older one the missing ones', () => {
  expect(pendingMigrations([], [one, two])).toEqual([one, two]);
  expect(pendingMigrations([applied(one)], [one, two])).toEqual([two]);
  expect(pendingMigrations([applied(one), applied(two)], [one, two])).toEqual([]);
});

test('a database that is newer than the code, or was migrated differently, is unusable', () => {
  expect(() => pendingMigrations([applied(one), applied(two)], [one])).toThrow(UnusableDatabase);
  expect(() => pendingMigrations([{ ...applied(one), checksum: 'x' }], [one])).toThrow('migration 1 differs');
});

test('the bookkeeping tables are those that the engines use', () => {
  expect(bookkeeping.map((text) => /CREATE TABLE IF NOT EXISTS (\w+)/.exec(text)?.[1])).toEqual([...bookkeepingTables]);
});
