import { createTypeIds } from '@flowgate/base/ids';
import { systemRandomBytes } from '@flowgate/base/random';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { createSqlIndexStore } from '../indexing/sql-index-store.ts';
import { factKinds } from '../sql-fact-kinds.ts';
import { createSqlWithdrawalStore } from './sql-withdrawal-store.ts';
import { withdrawalStoreContract } from './withdrawal-store.contract.ts';

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
