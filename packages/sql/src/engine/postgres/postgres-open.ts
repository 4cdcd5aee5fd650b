/**
 * Opens PostgreSQL at start: waits for it, checks that it is usable and belongs to Flowgate, and migrates it. Compares
 * every later connection with the database found at start.
 */

import type { Clock } from '@flowgate/base/clock';
import { type RandomBytes, randomName } from '@flowgate/base/random';
import { messageOf } from '@flowgate/base/text';
import { Unavailable } from '@flowgate/base/unavailable';
import { postgresSchema } from '../dialect.ts';
import { integerOf, textOf } from '../row.ts';
import {
  bookkeeping,
  bookkeepingTables,
  migrationChecksum,
  pendingMigrations,
  type Schema,
  statementsFor,
} from '../schema.ts';
import { UnusableDatabase } from '../unusable-database.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { connectFailure, isTransient, postgresFault, sqlStateOf } from './postgres-errors.ts';
import { PostgresSession } from './postgres-session.ts';

export type StartOptions = {
  readonly address: PostgresAddress;
  readonly schema: Schema;
  readonly connectTimeoutMs: number;
  readonly openTimeoutMs: number;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
};

export type Expected = {
  readonly identity: string;
  readonly connectTimeoutMs: number;
  /** Milliseconds after which the server cancels a statement of a later call. */
  readonly deadlineMs: number;
};

const oldestVersion = 15;
const retryPauseMs = 100;
const silenceGraceMs = 1_000;

/** Returns the database's identity. Throws `UnusableDatabase` or `Unavailable`, both with the address and a sentence for the operator. */
export async function openAtStart(options: StartOptions): Promise<string> {
  const { address, schema, openTimeoutMs } = options;
  const session = await connect(options);
  // The server cancels a statement that takes too long. A silent server or network cancels nothing.
  const timer = setTimeout(() => session.close('no answer in time'), openTimeoutMs + silenceGraceMs);
  try {
    await session.limitStatementsTo(openTimeoutMs);
    await checkServer(session);
    await migrate(session, options);
    await checkRights(session, schema.tables, address.user);
    return await identityOf(session);
  } catch (error) {
    throw startFailure(error, address);
  } finally {
    clearTimeout(timer);
    session.close('opened');
  }
}

/** Refuses a server that was demoted, restored, replaced or emptied behind the same address: it is not the database of the start. */
export async function readyForCalls(session: PostgresSession, expected: Expected): Promise<PostgresSession> {
  const { identity, connectTimeoutMs, deadlineMs } = expected;
  const timer = setTimeout(() => session.close('no answer in time'), connectTimeoutMs);
  try {
    const [[state] = [], found] = await Promise.all([
      session.send({ text: 'SELECT pg_is_in_recovery() AS replica', values: [] }),
      identityOf(session),
      session.limitStatementsTo(deadlineMs),
      session.writeOnlyInTransactions(),
    ]);
    if (state?.['replica'] !== false) throw new UnusableDatabase('it is a replica now, not the primary');
    if (found !== identity) throw new UnusableDatabase('the database was replaced by another one');
    return session;
  } catch (error) {
    session.close('not the database of the start');
    const message = postgresFault(error) === 'strange' ? 'its tables are missing' : messageOf(error);
    throw new Error(message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function connect({ address, connectTimeoutMs, openTimeoutMs, clock }: StartOptions): Promise<PostgresSession> {
  const untilMs = clock.monotonic() + openTimeoutMs;
  for (;;) {
    try {
      return await PostgresSession.open({ address, connectTimeoutMs });
    } catch (error) {
      const text = `${address.label}: ${connectFailure(error, address.user)}`;
      if (!isTransient(error)) throw new UnusableDatabase(text, { cause: error });
      if (clock.monotonic() >= untilMs) throw new Unavailable('database', text, { cause: error });
      await Bun.sleep(retryPauseMs);
    }
  }
}

async function checkServer(session: PostgresSession): Promise<void> {
  const [row = {}] = await session.send({
    text: `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
      pg_is_in_recovery() AS replica, current_setting('transaction_read_only') AS read_only, current_schema() AS schema`,
    values: [],
  });
  const version = Math.floor(integerOf(row, 'version') / 10_000);
  if (version < oldestVersion)
    throw new UnusableDatabase(`it is PostgreSQL ${version}, Flowgate needs ${oldestVersion} or newer`);
  if (row['replica'] !== false) throw new UnusableDatabase('it is a read-only replica, Flowgate needs the primary');
  if (row['read_only'] !== 'off')
    throw new UnusableDatabase('it is read-only (default_transaction_read_only is on), Flowgate needs to write');
  if (row['encoding'] !== 'UTF8')
    throw new UnusableDatabase(`its encoding is ${textOf(row, 'encoding')}, Flowgate needs UTF8`);
  if (row['schema'] === null) throw new UnusableDatabase('the user may use no existing schema of its search_path');
}

/**
 * One transaction that takes a lock first: of gateways that start at the same time, all but one find the migration
 * done.
 */
async function migrate(session: PostgresSession, { schema, clock, randomBytes }: StartOptions): Promise<void> {
  const run = (text: string, ...values: (string | number)[]) => session.send({ text, values });
  await run('BEGIN');
  await run("SELECT pg_advisory_xact_lock(hashtextextended('flowgate migrations', 0))");
  if (!(await isOurs(session))) for (const text of bookkeeping) await run(postgresSchema(text));
  const applied = await run('SELECT version, checksum FROM schema_migrations ORDER BY version');
  const pending = pendingMigrations(
    applied.map((row) => ({ version: integerOf(row, 'version'), checksum: textOf(row, 'checksum') })),
    schema.migrations,
  );
  const nowMs = clock.now();
  for (const migration of pending) {
    for (const text of statementsFor('postgres', migration)) await run(postgresSchema(text));
    await run(
      'INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)',
      migration.version,
      migration.name,
      migrationChecksum(migration),
      nowMs,
    );
  }
  if ((await identityOf(session)) === '')
    await run('INSERT INTO database_identity (id, created_at) VALUES (?, ?)', randomName(randomBytes), nowMs);
  if (!(await session.commit())) throw new Unavailable('database', 'the migration was rolled back');
}

/**
 * Whether the database belongs to Flowgate or is empty: any other one belongs to another application and is not written
 * to. Tables of extensions, as managed services install them, do not count.
 */
async function isOurs(session: PostgresSession): Promise<boolean> {
  const rows = await session.send({
    text: `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`,
    values: [],
  });
  const names = new Set(rows.map((row) => textOf(row, 'name')));
  if (bookkeepingTables.every((name) => names.has(name))) return true;
  if (names.size > 0)
    throw new UnusableDatabase('it contains tables of another application: use a separate database for Flowgate');
  return false;
}

async function checkRights(session: PostgresSession, tables: readonly string[], user: string): Promise<void> {
  const needed = [
    ...bookkeepingTables.map((table) => [table, 'SELECT'] as const),
    ...tables.flatMap((name) =>
      (['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const).map((right) => [name, right] as const),
    ),
  ];
  for (const [table, right] of needed) {
    const text = 'SELECT has_table_privilege(CAST(? AS TEXT), CAST(? AS TEXT)) AS granted';
    const [row] = await session.send({ text, values: [table, right] });
    if (row?.['granted'] !== true) throw new UnusableDatabase(`user ${user} lacks the right to ${right} on ${table}`);
  }
}

async function identityOf(session: PostgresSession): Promise<string> {
  const [row] = await session.send({ text: 'SELECT id FROM database_identity', values: [] });
  return row === undefined ? '' : textOf(row, 'id');
}

function startFailure(error: unknown, { label, user }: PostgresAddress): Error {
  const text = (sentence: string) => `${label}: ${sentence}`;
  if (error instanceof UnusableDatabase) return new UnusableDatabase(text(error.message), { cause: error });
  if (sqlStateOf(error) === '42501')
    return new UnusableDatabase(text(`user ${user} lacks a right: ${messageOf(error)}`), { cause: error });
  if (['lost', 'late'].includes(postgresFault(error)))
    return new Unavailable('database', text(messageOf(error)), { cause: error });
  return new UnusableDatabase(text(`its schema could not be brought up to date: ${messageOf(error)}`), {
    cause: error,
  });
}
