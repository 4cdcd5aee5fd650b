import { flowEvent } from '../../../test/contracts/event-store-contract.ts';
import { onEveryEngine } from '../../../test/contracts/sql-engines.ts';
import { subscriptionStoreContract } from '../../../test/contracts/subscription-store-contract.ts';
import { laneName } from '../../platform/claims/owned-lane.ts';
import { eventStatements } from './flow-event-store.ts';
import { createSqlSubscriptionStore } from './flow-subscription-store.ts';
import { textOf } from './row.ts';

onEveryEngine((engine, open) => {
  subscriptionStoreContract(engine, async () => {
    const { database, other, close } = await open();
    let sequence = 0;
    return {
      store: createSqlSubscriptionStore(database),
      other: createSqlSubscriptionStore(other),
      close,
      async happen(userId, appId, type) {
        sequence += 1;
        await database.transaction(eventStatements(database, { userId, appId }, [flowEvent(sequence, { type })]));
      },
      async waiting() {
        const rows = await other.query('SELECT lane FROM outbox ORDER BY lane', []);
        return rows.map((row) => laneName(textOf(row, 'lane')));
      },
    };
  });
});
