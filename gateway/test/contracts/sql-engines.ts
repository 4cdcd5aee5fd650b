/** The SQL engines, each opened twice on one fresh database, with a clock that a test can move: for suites that every engine runs. */

import { describe } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/stores/sql/database.ts';
import { openSqliteDatabase } from '../../src/stores/sql/sqlite-database.ts';
import { createManualClock } from '../fixtures/manual-clock.ts';
import { postgresMissing, testPostgres } from '../fixtures/postgres.ts';
import { openAddress, patientDeadlineMs } from './open-address.ts';

export type OpenedEngine = {
  readonly database: Database;
  /** A second way to the same database, as another process has it. */
  readonly other: Database;
  /** `sqlite:<file>` or `postgres://…`, for child processes. */
  readonly address: string;
  /** The clock of leases and deliveries moves on, or back. */
  readonly advance: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type EngineName = 'SQLite' | 'PostgreSQL';

/** Runs the suite once for each engine; `open` gives a fresh database. */
export function onEveryEngine(suite: (engine: EngineName, open: () => Promise<OpenedEngine>) => void): void {
  describe('on SQLite', () => suite('SQLite', openSqlite));
  describe.skipIf(postgresMissing !== undefined)('on PostgreSQL', () => suite('PostgreSQL', openPostgres));
}

async function openSqlite(): Promise<OpenedEngine> {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-sql-'));
  const file = join(directory, 'flowgate.db');
  // Child processes have the machine's clock.
  const clock = createManualClock(Date.now());
  const [database, other] = [
    await openSqliteDatabase({ file, deadlineMs: patientDeadlineMs, clock }),
    await openSqliteDatabase({ file, deadlineMs: patientDeadlineMs, clock }),
  ];
  return {
    database,
    other,
    address: `sqlite:${file}`,
    async advance(ms) {
      clock.advance(ms);
    },
    async close() {
      await Promise.all([database.close(), other.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function openPostgres(): Promise<OpenedEngine> {
  const address = await (await testPostgres()).freshDatabase();
  const [database, other] = [await openAddress(address), await openAddress(address)];
  return {
    database,
    other,
    address,
    /** A server's clock cannot be moved; every stored time is moved the other way instead, which is the same. */
    async advance(ms) {
      await database.transaction([
        { text: 'UPDATE leases SET expires_at = expires_at - CAST(? AS BIGINT)', values: [ms] },
        {
          text: `UPDATE outbox SET enqueued_at = enqueued_at - CAST(? AS BIGINT), due_at = due_at - CAST(? AS BIGINT),
            claimed_until = claimed_until - CAST(? AS BIGINT)`,
          values: [ms, ms, ms],
        },
      ]);
    },
    async close() {
      await Promise.all([database.close(), other.close()]);
    },
  };
}
