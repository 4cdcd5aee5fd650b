import { retentionStoreContract } from '../../../../test/contracts/retention-store-contract.ts';
import { onEveryEngine } from '../../../../test/contracts/sql-engines.ts';
import { createSqlEventStore } from './flow-event-store.ts';
import { createSqlPaymentStore } from './flow-payment-store.ts';
import { createSqlRetentionStore } from './flow-retention-store.ts';
import { createSqlSessionStore } from './flow-session-store.ts';

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
