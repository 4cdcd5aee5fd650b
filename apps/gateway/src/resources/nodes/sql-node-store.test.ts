import { auditedOn } from '../../../test/fixtures/audited.ts';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { nodeStoreContract } from './node-store.contract.ts';
import { createSqlNodeStore } from './sql-node-store.ts';

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
