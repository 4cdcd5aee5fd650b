/** The SQL engines for suites that every engine runs: each is opened twice on one database that is empty before each test, with a clock that a test can move. */

import { afterAll, describe } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, QueryOptions, Statement } from '@flowgate/sql/engine/database';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { postgresMissing } from '@flowgate/testing/postgres';
import { sqliteAuditTriggers } from '../../src/audit/audit-schema.ts';
import { schema } from '../../src/storage/storage-schema.ts';
import { migratedDatabase } from '../fixtures/migrated-database.ts';
import { openAddress, patientDeadlineMs } from './open-address.ts';

export type OpenedEngine = {
  readonly database: Database;
  /** A second connection to the same database, like that of another process. */
  readonly other: Database;
  /** `sqlite:<file>` or `postgres://…`, for child processes. */
  readonly address: string;
  /** Moves the clock of leases and deliveries forwards or backwards. */
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type EngineName = 'SQLite' | 'PostgreSQL';

/** Runs the suite once for each engine; `open` returns an empty database. */
export function onEveryEngine(suite: (engine: EngineName, open: () => Promise<OpenedEngine>) => void): void {
  describe('on SQLite', () => suite('SQLite', sharedOpener(makeSqlite)));
  describe.skipIf(postgresMissing !== undefined)('on PostgreSQL', () =>
    suite('PostgreSQL', sharedOpener(makePostgres)),
  );
}

/** Raises deadlines of a second and more, which the stores set, to that of the engine, so that a busy machine fails no test. Shorter ones are set by tests and stay. */
function patient(database: Database): Database {
  const patiently = <T extends QueryOptions>(options: T | undefined) =>
    options?.deadlineMs === undefined || options.deadlineMs < 1_000
      ? options
      : { ...options, deadlineMs: Math.max(options.deadlineMs, patientDeadlineMs) };
  return {
    dialect: database.dialect,
    query: (text, values, options) => database.query(text, values, patiently(options)),
    transaction: (statements, options) => database.transaction(statements, patiently(options)),
    ping: () => database.ping(),
    close: () => database.close(),
  };
}

type Made = Pick<OpenedEngine, 'address' | 'database' | 'other' | 'advance'> & {
  /** Runs before each test. */
  readonly begin: () => void;
  readonly remove: () => void;
};

async function makeSqlite(): Promise<Made> {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-sql-'));
  const file = join(directory, 'flowgate.db');
  const clock = createManualClock();
  const open = async () => patient(await openSqliteDatabase({ schema, file, deadlineMs: patientDeadlineMs, clock }));
  return {
    address: `sqlite:${file}`,
    database: await open(),
    other: await open(),
    advance: async (ms) => clock.advance(ms),
    // Child processes use the machine's clock.
    begin: () => clock.setWall(Date.now()),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

async function makePostgres(): Promise<Made> {
  const address = await migratedDatabase();
  const database = patient(await openAddress(address));
  const other = patient(await openAddress(address));
  return { address, database, other, advance: (ms) => ageBy(database, ms), begin: () => {}, remove: () => {} };
}

/** Creating a database takes a third of a second, emptying one a few milliseconds, so a suite shares one. */
function sharedOpener(make: () => Promise<Made>): () => Promise<OpenedEngine> {
  let shared: Promise<Made> | undefined;
  afterAll(async () => {
    const made = await shared;
    await Promise.all([made?.database.close(), made?.other.close()]);
    made?.remove();
  });
  return async () => {
    shared ??= make();
    const { address, database, other, advance, begin } = await shared;
    await empty(database);
    begin();
    return { address, database, other, advance, close: async () => undefined };
  };
}

async function empty(database: Database): Promise<void> {
  const deletions = schema.tables.map((name) => ({ text: `DELETE FROM ${name}`, values: [] }));
  await withoutAuditTriggers(database, deletions);
}

/** The audit log refuses changes, so its triggers are taken away for the moment of a transaction. */
export async function withoutAuditTriggers(database: Database, statements: readonly Statement[]): Promise<void> {
  const onPostgres = ['DISABLE', 'ENABLE'].map((verb) => `ALTER TABLE audit_entries ${verb} TRIGGER USER`);
  const [before, after] =
    database.dialect.engine === 'postgres'
      ? [onPostgres.slice(0, 1), onPostgres.slice(1)]
      : [
          sqliteAuditTriggers.map((text) => text.replace(/^CREATE TRIGGER (\w+) .*$/s, 'DROP TRIGGER $1')),
          sqliteAuditTriggers,
        ];
  const plain = (texts: readonly string[]) => texts.map((text) => ({ text, values: [] }));
  await database.transaction([...plain(before), ...statements, ...plain(after)]);
}

/** A server's clock cannot be moved. Instead every stored time is moved in the opposite direction, which has the same effect. */
async function ageBy(database: Database, ms: number): Promise<void> {
  const older = (column: string) => `${column} = ${column} - CAST(? AS BIGINT)`;
  await database.transaction([
    { text: `UPDATE leases SET ${older('expires_at')}`, values: [ms] },
    {
      text: `UPDATE outbox SET ${older('enqueued_at')}, ${older('due_at')}, ${older('claimed_until')}`,
      values: [ms, ms, ms],
    },
  ]);
}
