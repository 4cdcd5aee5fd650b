import { auditedRegistry } from '../../../test/fixtures/audited-registry.ts';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { registryStoreContract } from './registry-store.contract.ts';

onEveryEngine((engine, open) => {
  registryStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return { store: auditedRegistry(database), other: auditedRegistry(other), close };
  });
});
