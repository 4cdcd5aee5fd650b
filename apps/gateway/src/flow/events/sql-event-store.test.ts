import { createSqlOutboxStore } from '@flowgate/sql/coordination/sql-outbox-store';
import { sql } from '@flowgate/sql/engine/sql-text';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { eventStoreContract } from './event-store.contract.ts';
import { createSqlEventStore, eventStatements } from './sql-event-store.ts';

onEveryEngine((engine, open) => {
  eventStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return {
      store: createSqlEventStore(database),
      other: createSqlEventStore(other),
      outbox: (queue) => createSqlOutboxStore(other, queue, 'free'),
      close,
      async write(session, events, failing = false) {
        const failure = { text: 'INSERT INTO leases (name) VALUES (NULL)', values: [] };
        const statements = eventStatements(database, session, events);
        await database.transaction([...statements, ...(failing ? [failure] : [])]);
      },
      async subscribe({ subscriptionId, userId, appId, eventType, status }) {
        await database.transaction([
          sql`INSERT INTO flow_subscriptions
            (subscription_id, user_id, app_id, event_type, target_url, sealed_secret, status, created_at)
            VALUES (${subscriptionId}, ${userId}, ${appId}, ${eventType}, 'https://a.example', 'sealed', ${status}, 1)`,
        ]);
      },
    };
  });
});
