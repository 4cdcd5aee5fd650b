/**
 * The schema as an engine knows it: its migrations and the names of its tables. Only the two bookkeeping tables are the
 * engine's own.
 */

import { UnusableDatabase } from './unusable-database.ts';

/** A statement in SQL that every engine understands, or one for a single engine: triggers have no common form. */
export type MigrationStatement = string | { readonly engine: 'sqlite' | 'postgres'; readonly text: string };

/** Applied once, in one transaction with all pending migrations. */
export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly MigrationStatement[];
};

/** The migration's statements for this engine, in order. */
export function statementsFor(engine: 'sqlite' | 'postgres', { statements }: Migration): readonly string[] {
  return statements.flatMap((each) => {
    if (typeof each === 'string') return [each];
    return each.engine === engine ? [each.text] : [];
  });
}

export type AppliedMigration = { readonly version: number; readonly checksum: string };

export type Schema = {
  /** Ordered by version. */
  readonly migrations: readonly Migration[];
  /** The database's user must be allowed to read and write each row of them. */
  readonly tables: readonly string[];
};

/** `schema_migrations` lists the applied migrations; `database_identity` has one row that distinguishes this database from others. */
export const bookkeeping: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS schema_migrations (
    version BIGINT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    applied_at BIGINT NOT NULL
  )`,
  'CREATE TABLE IF NOT EXISTS database_identity (id TEXT NOT NULL PRIMARY KEY, created_at BIGINT NOT NULL)',
];

export const bookkeepingTables = ['schema_migrations', 'database_identity'] as const;

export function migrationChecksum(migration: Migration): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify([migration.name, migration.statements])).digest('hex');
}

/** The migrations that are not applied yet. Throws `UnusableDatabase` when the database is newer than `known`, or when a migration was changed after it was applied. */
export function pendingMigrations(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): readonly Migration[] {
  const byVersion = new Map(known.map((migration) => [migration.version, migration]));
  for (const { version, checksum } of applied) {
    const migration = byVersion.get(version);
    if (migration === undefined)
      throw new UnusableDatabase(
        `it has schema version ${version}, this Flowgate supports versions up to ${known.at(-1)?.version ?? 0}: start a newer Flowgate`,
      );
    if (migrationChecksum(migration) !== checksum)
      throw new UnusableDatabase(`its migration ${version} differs from this Flowgate's: it was made by another build`);
  }
  const done = new Set(applied.map(({ version }) => version));
  return known.filter(({ version }) => !done.has(version));
}
