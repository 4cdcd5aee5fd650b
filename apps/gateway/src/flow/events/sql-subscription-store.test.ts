import { expect, test } from 'bun:test';
import { textOf } from '@flowgate/sql/engine/row';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { flowEvent } from './event-store.contract.ts';
import { eventStatements } from './sql-event-store.ts';
import { createSqlSubscriptionStore } from './sql-subscription-store.ts';
import { subscriptionRecord, subscriptionStoreContract } from './subscription-store.contract.ts';

onEveryEngine((engine, open) => {
  test('all pending deliveries are dropped, even if one transaction does not suffice', async () => {
    const { database, close } = await open();
    const store = createSqlSubscriptionStore(database);
    const record = subscriptionRecord();
    await store.insertIfUnder(record, 20);
    for (let round = 0; round < 25; round++) {
      const events = Array.from({ length: 100 }, (_, at) =>
        flowEvent(round * 100 + at + 1, { type: record.eventType }),
      );
      await database.transaction(eventStatements(database, record, events), { deadlineMs: 5_000 });
    }
    const waiting = async () => (await database.query('SELECT id FROM outbox', [])).length;
    expect(await waiting()).toBe(2_500);
    expect(await store.remove(record.userId, record.appId, record.subscriptionId)).toBe(true);
    expect(await waiting()).toBe(0);
    await close();
  });

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
        return rows.map((row) => textOf(row, 'lane').split(' ').at(-1) ?? '');
      },
    };
  });
});
