import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { secretMarkStoreContract } from './secret-mark-store.contract.ts';
import { createSqlSecretMarkStore } from './sql-secret-mark-store.ts';

onEveryEngine((engine, open) => {
  secretMarkStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return { store: createSqlSecretMarkStore(database), other: createSqlSecretMarkStore(other), close };
  });
});
