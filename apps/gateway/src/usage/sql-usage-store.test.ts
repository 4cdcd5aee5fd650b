/** Runs the contract of the usage store on each engine. */

import { systemRandomBytes } from '@flowgate/base/random';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { onEveryEngine } from '../../test/fixtures/sql-engines.ts';
import { createSqlUsageStore } from './sql-usage-store.ts';
import { usageStoreContract } from './usage-store.contract.ts';

onEveryEngine((engine, open) =>
  usageStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return {
      store: createSqlUsageStore(database, systemRandomBytes),
      other: createSqlUsageStore(other, systemRandomBytes),
      leases: createSqlLeaseStore(database),
      close,
    };
  }),
);
