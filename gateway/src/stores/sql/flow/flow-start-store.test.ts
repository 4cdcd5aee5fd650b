import { onEveryEngine } from '../../../../test/contracts/sql-engines.ts';
import { startStoreContract } from '../../../../test/contracts/start-store-contract.ts';
import { createSqlRetentionStore } from './flow-retention-store.ts';
import { createSqlSessionStore } from './flow-session-store.ts';
import { createSqlStartStore } from './flow-start-store.ts';

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
