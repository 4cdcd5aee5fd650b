import { createTypeIds } from '@flowgate/base/ids';
import { systemRandomBytes } from '@flowgate/base/random';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { onEveryEngine } from '../../../../test/contracts/sql-engines.ts';
import { withdrawalStoreContract } from '../../../../test/contracts/withdrawal-store-contract.ts';
import { factKinds } from './fact-kinds.ts';
import { createSqlIndexStore } from './index-store.ts';
import { createSqlWithdrawalStore } from './withdrawal-store.ts';

onEveryEngine((engine, open) => {
  withdrawalStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return {
      store: createSqlWithdrawalStore(database),
      other: createSqlWithdrawalStore(other),
      index: createSqlIndexStore(database, createTypeIds(createManualClock(), systemRandomBytes), factKinds),
      leases: createSqlLeaseStore(database),
      close,
    };
  });
});
