import { createTypeIds } from '@flowgate/base/ids';
import { systemRandomBytes } from '@flowgate/base/random';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { factKinds } from '../sql-fact-kinds.ts';
import { indexStoreContract } from './index-store.contract.ts';
import { createSqlIndexStore } from './sql-index-store.ts';

onEveryEngine((engine, open) => {
  indexStoreContract(engine, async () => {
    const { database, other, close } = await open();
    const newId = createTypeIds(createManualClock(), systemRandomBytes);
    return {
      store: createSqlIndexStore(database, newId, factKinds),
      other: createSqlIndexStore(other, newId, factKinds),
      leases: createSqlLeaseStore(database),
      close,
    };
  });
});
