import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { loseTokens, storeTokens } from './sql-token-statements.ts';
import { createSqlTokenStore } from './sql-token-store.ts';
import { tokenStoreContract } from './token-store.contract.ts';

onEveryEngine((engine, open) => {
  tokenStoreContract(engine, async () => {
    const { database, close } = await open();
    const streamOf = (bridgeId: string) => `${bridgeId}/l2`;
    return {
      store: createSqlTokenStore(database),
      async storeRange(facts, bridgeId, place) {
        await database.transaction(storeTokens(facts, { streamId: streamOf(bridgeId), bridgeId, place }));
      },
      async loseRange(bridgeId, keep, upTo = Number.MAX_SAFE_INTEGER) {
        await database.transaction(loseTokens({ streamId: streamOf(bridgeId), keep, upTo, nowMs: 0 }));
      },
      leases: createSqlLeaseStore(database),
      close,
    };
  });
});
