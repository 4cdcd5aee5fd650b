/** Opens either engine by its address, with long deadlines so that a busy machine fails no test; for tests and their child processes. */

import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import type { Database } from '@flowgate/sql/engine/database';
import { openPostgresDatabase } from '@flowgate/sql/engine/postgres/postgres-database';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { schema } from '../../src/storage/storage-schema.ts';

/** As long as a test may take: when many calls wait for each other, none may fail because the machine is busy. */
export const patientDeadlineMs = 60_000;

export function openAddress(address: string): Promise<Database> {
  return address.startsWith('sqlite:')
    ? openSqliteDatabase({
        schema,
        file: address.slice('sqlite:'.length),
        clock: systemClock,
        deadlineMs: patientDeadlineMs,
      })
    : openPostgresDatabase({
        schema,
        url: address,
        clock: systemClock,
        randomBytes: systemRandomBytes,
        deadlineMs: patientDeadlineMs,
      });
}
