import { onEveryEngine } from '../../../../test/contracts/sql-engines.ts';
import { swapStoreContract } from '../../../../test/contracts/swap-store-contract.ts';
import { createManualClock } from '../../../../test/fixtures/manual-clock.ts';
import { systemRandomBytes } from '../../../platform/random.ts';
import { createTypeIds } from '../../../platform/type-id.ts';
import { createSqlLeaseStore } from '../coordination/lease-store.ts';
import { selection } from '../engine/table.ts';
import { createSqlIndexStore } from './index-store.ts';
import { createSqlSwapStore } from './swap-store.ts';
import { bridgeSwapsTable } from './swap-table.ts';

const swaps = selection(bridgeSwapsTable);

onEveryEngine((engine, open) => {
  swapStoreContract(engine, async () => {
    const { database, close } = await open();
    return {
      store: createSqlSwapStore(database),
      index: createSqlIndexStore(database, createTypeIds(createManualClock(), systemRandomBytes)),
      async all() {
        const text = `SELECT ${swaps.list.text} FROM bridge_swaps ORDER BY transaction_hash, pool, nth`;
        return (await database.query(text, [])).map(swaps.read);
      },
      leases: createSqlLeaseStore(database),
      close,
    };
  });
});
