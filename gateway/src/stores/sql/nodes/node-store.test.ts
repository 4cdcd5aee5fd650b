import { nodeStoreContract } from '../../../../test/contracts/node-store-contract.ts';
import { onEveryEngine } from '../../../../test/contracts/sql-engines.ts';
import { auditedOn } from '../../../../test/fixtures/audited.ts';
import { createSqlNodeStore } from './node-store.ts';

onEveryEngine((_engine, open) => {
  nodeStoreContract(async () => {
    const { database, other } = await open();
    return {
      database,
      store: createSqlNodeStore(database, auditedOn(database)),
      other: createSqlNodeStore(other, auditedOn(other)),
    };
  });
});
