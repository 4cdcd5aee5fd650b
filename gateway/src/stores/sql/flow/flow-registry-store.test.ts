import { registryStoreContract } from '../../../../test/contracts/registry-store-contract.ts';
import { onEveryEngine } from '../../../../test/contracts/sql-engines.ts';
import { createSqlRegistryStore } from './flow-registry-store.ts';

onEveryEngine((engine, open) => {
  registryStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return { store: createSqlRegistryStore(database), other: createSqlRegistryStore(other), close };
  });
});
