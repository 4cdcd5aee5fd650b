import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { createSqlEventStore } from '../events/sql-event-store.ts';
import { createSqlPaymentStore } from '../payments/sql-payment-store.ts';
import { retentionStoreContract } from './retention-store.contract.ts';
import { createSqlRetentionStore } from './sql-retention-store.ts';
import { createSqlSessionStore } from './sql-session-store.ts';

onEveryEngine((engine, open) => {
  retentionStoreContract(engine, async () => {
    const { database, other, close } = await open();
    const tables = ['flow_responses', 'flow_events', 'leases', 'flow_removed_sessions'];
    return {
      store: createSqlRetentionStore(database),
      other: createSqlRetentionStore(other),
      sessions: createSqlSessionStore(database),
      events: createSqlEventStore(database),
      payments: createSqlPaymentStore(database),
      rows: () =>
        Promise.all(tables.map(async (table) => (await database.query(`SELECT 1 AS one FROM ${table}`, [])).length)),
      close,
    };
  });
});
