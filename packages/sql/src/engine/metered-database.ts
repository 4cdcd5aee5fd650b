/** Measures how long each operation of a database takes, whether it succeeds or not. */

import type { Clock } from '@flowgate/base/clock';
import type { Histogram } from '@flowgate/telemetry/metrics/instruments';
import type { Family } from '@flowgate/telemetry/metrics/registry';
import type { Database } from './database.ts';

/** `storeSeconds`: by engine and operation. Without it, returns the database unchanged. */
export function meteredDatabase(
  database: Database,
  storeSeconds: Family<Histogram> | undefined,
  { monotonic }: Pick<Clock, 'monotonic'>,
): Database {
  if (storeSeconds === undefined) return database;
  const { engine } = database.dialect;
  const measured = async <T>(seconds: Histogram, pending: Promise<T>): Promise<T> => {
    const startedMs = monotonic();
    try {
      return await pending;
    } finally {
      seconds.observe((monotonic() - startedMs) / 1000);
    }
  };
  const reads = storeSeconds.with(engine, 'query');
  const writes = storeSeconds.with(engine, 'transaction');
  const pings = storeSeconds.with(engine, 'ping');
  return {
    dialect: database.dialect,
    query: (text, values, options) => measured(reads, database.query(text, values, options)),
    transaction: (statements, options) => measured(writes, database.transaction(statements, options)),
    ping: () => measured(pings, database.ping()),
    close: () => database.close(),
  };
}
