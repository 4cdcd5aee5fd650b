import { secretMarkStoreContract } from '../../../../test/contracts/secret-mark-store-contract.ts';
import { onEveryEngine } from '../../../../test/contracts/sql-engines.ts';
import { createSqlSecretMarkStore } from './flow-secret-mark-store.ts';

onEveryEngine((engine, open) => {
  secretMarkStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return { store: createSqlSecretMarkStore(database), other: createSqlSecretMarkStore(other), close };
  });
});
