/** Opens durable storage: the configured database. */

import { createTypeIds } from '@flowgate/base/ids';
import type { Database } from '@flowgate/sql/engine/database';
import { meteredDatabase } from '@flowgate/sql/engine/metered-database';
import { openPostgresDatabase } from '@flowgate/sql/engine/postgres/postgres-database';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { type AuditedTransaction, createAuditedTransaction } from '../audit/sql-audited-transaction.ts';
import type { Config } from '../config/config.ts';
import { schema } from '../storage/storage-schema.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Machine, Runtime } from './runtime.ts';

export type Storage = {
  readonly database: Database;
  /** For management actions that the audit log records. */
  readonly audited: AuditedTransaction;
  /** Whether the database answers now. Never rejects. */
  readonly answers: () => Promise<boolean>;
  readonly hooks: ModuleHooks;
};

const sqlitePrefix = 'sqlite:';

/** Rejects with a sentence for the operator when the database cannot be opened. */
export async function openStorage({ storage }: Pick<Config, 'storage'>, runtime: Runtime): Promise<Storage> {
  const { log, clock, randomBytes, instruments } = runtime;
  const opened = await openDatabase(storage, runtime, (reason) =>
    reason === undefined ? log.info('database.recovered') : log.error('database.failed', { reason }),
  );
  const database = meteredDatabase(opened, instruments?.storeSeconds, clock);
  return {
    database,
    audited: createAuditedTransaction({
      database,
      clock,
      newId: createTypeIds(clock, randomBytes),
      deadlineMs: storage.database.startsWith(sqlitePrefix) ? sqliteWriteMs : postgresWriteMs,
    }),
    answers: () =>
      database.ping().then(
        () => true,
        () => false,
      ),
    hooks: moduleHooks({ close: () => database.close() }),
  };
}

type DatabaseConfig = Pick<Config['storage'], 'database' | 'databaseConnections' | 'databaseTimeoutMs'>;

/** The default milliseconds for a read on SQLite: its thread is always available, but slow when the machine is busy (decision 0126). */
const sqliteReadMs = 500;
/** The default milliseconds for a write, which waits for the disk. On PostgreSQL less than a second, so that the refusal of a caller takes no longer. */
const sqliteWriteMs = 1_000;
const postgresWriteMs = 900;

/** Throws with a sentence for the operator when the database cannot be opened. */
export function openDatabase(
  { database, databaseConnections, databaseTimeoutMs }: DatabaseConfig,
  { clock, randomBytes }: Machine,
  onTrouble: (reason: string | undefined) => void,
): Promise<Database> {
  const common = { schema, clock, onTrouble };
  if (database.startsWith(sqlitePrefix))
    return openSqliteDatabase({
      ...common,
      file: database.slice(sqlitePrefix.length),
      deadlineMs: databaseTimeoutMs ?? sqliteReadMs,
      writeDeadlineMs: sqliteWriteMs,
    });
  return openPostgresDatabase({
    ...common,
    url: database,
    ...(databaseTimeoutMs === undefined ? {} : { deadlineMs: databaseTimeoutMs }),
    maxConnections: databaseConnections,
    randomBytes,
    writeDeadlineMs: postgresWriteMs,
  });
}
