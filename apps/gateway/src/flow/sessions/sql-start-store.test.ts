import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { createSqlRetentionStore } from './sql-retention-store.ts';
import { createSqlSessionStore } from './sql-session-store.ts';
import { createSqlStartStore } from './sql-start-store.ts';
import { startStoreContract } from './start-store.contract.ts';

onEveryEngine((engine, open) => {
  startStoreContract(engine, async () => {
    const { database, other, advance, close } = await open();
    return {
      store: createSqlStartStore(database),
      other: createSqlStartStore(other),
      sessions: [createSqlSessionStore(database), createSqlSessionStore(other)],
      retention: createSqlRetentionStore(database),
      leases: async () => (await database.query('SELECT name FROM leases', [])).length,
      advance,
      close,
    };
  });
});
