import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { deploymentStoreContract } from './deployment-store.contract.ts';
import { createSqlDeploymentStore } from './sql-deployment-store.ts';

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
