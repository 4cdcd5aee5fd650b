/**
 * Opens an SQLite file: checks that it is a Flowgate database before writing anything, sets it up, and migrates it at
 * start.
 */

import { constants, Database as Sqlite } from 'bun:sqlite';
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@flowgate/base/clock';
import { type RandomBytes, randomName } from '@flowgate/base/random';
import { messageOf } from '@flowgate/base/text';
import { integerOf, textOf } from '../row.ts';
import { bookkeeping, type Migration, migrationChecksum, pendingMigrations, statementsFor } from '../schema.ts';
import { UnusableDatabase } from '../unusable-database.ts';
import { sqliteFault } from './sqlite-errors.ts';
import type { OpenRequest } from './sqlite-messages.ts';
import { applicationId, busyTimeoutMs, pragmas } from './sqlite-pragmas.ts';

/** The clock and randomness of a thread of the engine; the thread's own file provides them. */
export type ThreadMachine = { readonly clock: Pick<Clock, 'monotonic'>; readonly randomBytes: RandomBytes };

/**
 * More than the number of all statement texts, except lists of many lengths. With the runtime's default of 20, the
 * statements of a Flow App's step would be prepared again each time.
 */
Sqlite.MAX_QUERY_CACHE_SIZE = 300;

/**
 * Mode 0700 for the directory, 0600 for the file (SQLite gives log and index the same mode). An existing file is not
 * opened: closing it would drop this process' locks.
 */
export function createIfMissing(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return;
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Another process may be migrating or recovering: wait for it. */
export function openWithin(request: OpenRequest, { clock, randomBytes }: ThreadMachine): Sqlite {
  const untilMs = clock.monotonic() + request.openTimeoutMs;
  for (;;) {
    try {
      return withConnection(request.file, (connection) => {
        checkOurs(connection, true);
        configure(connection, request);
        migrate(connection, request, randomBytes);
      });
    } catch (error) {
      if (isForeign(error))
        throw new UnusableDatabase(`it is not an SQLite database, or damaged: ${messageOf(error)}`, { cause: error });
      if (sqliteFault(error) !== 'busy' || clock.monotonic() >= untilMs) throw error;
      Bun.sleepSync(busyTimeoutMs);
    }
  }
}

export function openExisting(request: OpenRequest, identity: string | undefined): Sqlite {
  return withConnection(request.file, (connection) => {
    checkOurs(connection, false);
    configure(connection, request);
    if (pendingOf(connection, request.migrations).length > 0)
      throw new UnusableDatabase('the database file was replaced by one with an older schema');
    if (identityOf(connection) !== identity)
      throw new UnusableDatabase('the database file was replaced by another database');
  });
}

function withConnection(file: string, prepare: (connection: Sqlite) => void): Sqlite {
  const connection = new Sqlite(file, { readwrite: true, create: false, strict: true });
  try {
    connection.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    // When the last connection closes, SQLite deletes the log by its name. A restored database's log may have that name
    // by now, so the log stays.
    connection.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
    prepare(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function checkOurs(connection: Sqlite, emptyIsFine: boolean): void {
  const objects = numberFrom(connection, 'SELECT COUNT(*) AS value FROM sqlite_schema');
  const id = numberFrom(connection, 'SELECT application_id AS value FROM pragma_application_id');
  if (id === applicationId) return;
  if (emptyIsFine && objects === 0 && id === 0) return;
  throw new UnusableDatabase('it is not a Flowgate database');
}

function configure(connection: Sqlite, request: OpenRequest): void {
  for (const { name, value } of pragmas) connection.run(`PRAGMA ${name} = ${value}`);
  if (request.maxPages !== undefined) connection.run(`PRAGMA max_page_count = ${request.maxPages}`);
}

/**
 * One transaction that takes the lock first: of two processes that open at the same time, the second finds the
 * migration done.
 */
function migrate(connection: Sqlite, { migrations, nowMs }: OpenRequest, randomBytes: RandomBytes): void {
  connection
    .transaction(() => {
      checkOurs(connection, true);
      for (const text of bookkeeping) connection.run(text);
      const record = connection.query(
        'INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)',
      );
      for (const migration of pendingOf(connection, migrations)) {
        for (const text of statementsFor('sqlite', migration)) connection.run(text);
        record.run(migration.version, migration.name, migrationChecksum(migration), nowMs);
      }
      if (connection.query('SELECT id FROM database_identity').get() === null)
        connection
          .query('INSERT INTO database_identity (id, created_at) VALUES (?, ?)')
          .run(randomName(randomBytes), nowMs);
      connection.run(`PRAGMA application_id = ${applicationId}`);
    })
    .immediate();
}

function pendingOf(connection: Sqlite, migrations: readonly Migration[]) {
  const rows = connection
    .query<Record<string, unknown>, []>('SELECT version, checksum FROM schema_migrations ORDER BY version')
    .all();
  return pendingMigrations(
    rows.map((row) => ({ version: integerOf(row, 'version'), checksum: textOf(row, 'checksum') })),
    migrations,
  );
}

export function identityOf(connection: Sqlite): string {
  const row = connection.query<Record<string, unknown>, []>('SELECT id FROM database_identity').get();
  return row === null ? '' : textOf(row, 'id');
}

function numberFrom(connection: Sqlite, text: string): number {
  const row = connection.query<Record<string, unknown>, []>(text).get();
  return row === null ? 0 : integerOf(row, 'value');
}

function isForeign(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(NOTADB|CORRUPT)/.test(String(error.code));
}
