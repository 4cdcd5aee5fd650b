import { createTypeIds } from '@flowgate/base/ids';
import { systemRandomBytes } from '@flowgate/base/random';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { selection } from '@flowgate/sql/engine/table';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { createSqlIndexStore } from '../indexing/sql-index-store.ts';
import { factKinds } from '../sql-fact-kinds.ts';
import { createSqlSwapStore } from './sql-swap-store.ts';
import { swapStoreContract } from './swap-store.contract.ts';
import { bridgeSwapsTable } from './swap-table.ts';

const swaps = selection(bridgeSwapsTable);

onEveryEngine((engine, open) => {
  swapStoreContract(engine, async () => {
    const { database, close } = await open();
    return {
      store: createSqlSwapStore(database),
      index: createSqlIndexStore(database, createTypeIds(createManualClock(), systemRandomBytes), factKinds),
      async all() {
        const text = `SELECT ${swaps.list.text} FROM bridge_swaps ORDER BY transaction_hash, pool, nth`;
        return (await database.query(text, [])).map(swaps.read);
      },
      leases: createSqlLeaseStore(database),
      close,
    };
  });
});
