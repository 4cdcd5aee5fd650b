import { registryStoreContract } from '../../../../test/contracts/registry-store-contract.ts';
import { onEveryEngine } from '../../../../test/contracts/sql-engines.ts';
import { auditedRegistry } from '../../../../test/fixtures/audited-registry.ts';

onEveryEngine((engine, open) => {
  registryStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return { store: auditedRegistry(database), other: auditedRegistry(other), close };
  });
});
