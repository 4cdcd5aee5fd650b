import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { deploymentStoreContract } from '../../../../test/contracts/deployment-store-contract.ts';
import { onEveryEngine } from '../../../../test/contracts/sql-engines.ts';
import { createSqlDeploymentStore } from './deployment-store.ts';

onEveryEngine((engine, open) => {
  deploymentStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return {
      store: createSqlDeploymentStore(database),
      other: createSqlDeploymentStore(other),
      leases: createSqlLeaseStore(database),
      close,
    };
  });
});
