import { leaseStoreContract } from '../../../test/contracts/lease-store-contract.ts';
import { outboxStoreContract } from '../../../test/contracts/outbox-store-contract.ts';
import { onEveryEngine } from '../../../test/contracts/sql-engines.ts';
import { createSqlLeaseStore, fence } from './lease-store.ts';
import { createSqlOutboxStore, enqueue } from './outbox-store.ts';
import { textOf } from './row.ts';

onEveryEngine((engine, open) => {
  const numRuns = 12;

  leaseStoreContract(
    engine,
    async () => {
      const { database, other, advance, close } = await open();
      return {
        store: createSqlLeaseStore(database),
        other: createSqlLeaseStore(other),
        advance,
        close,
        async write(lease, id) {
          const done = await database.transaction([enqueue(database, 'written', { id, payload: '' })], {
            onlyIf: fence(database, lease),
          });
          return done.length > 0;
        },
        async written() {
          const rows = await other.query("SELECT id FROM outbox WHERE queue = 'written'", []);
          return rows.map((row) => textOf(row, 'id'));
        },
      };
    },
    numRuns,
  );

  outboxStoreContract(
    engine,
    async () => {
      const { database, other, advance, close } = await open();
      return {
        store: (queue, rule) => createSqlOutboxStore(database, queue, rule),
        other: (queue, rule) => createSqlOutboxStore(other, queue, rule),
        advance,
        close,
        async enqueue(queue, items, failing = false) {
          const failure = { text: 'INSERT INTO leases (name) VALUES (NULL)', values: [] };
          await database.transaction([
            ...items.map((item) => enqueue(database, queue, item)),
            ...(failing ? [failure] : []),
          ]);
        },
      };
    },
    numRuns,
  );
});
