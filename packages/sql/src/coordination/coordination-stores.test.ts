import { expect, test } from 'bun:test';
import { testRounds } from '@flowgate/testing/test-rounds';
import { onEveryEngine } from '../../../../apps/gateway/test/fixtures/sql-engines.ts';
import { leaseStoreContract } from '../../test/lease-store-contract.ts';
import { outboxStoreContract } from '../../test/outbox-store-contract.ts';
import { textOf } from '../engine/row.ts';
import { enqueue } from './outbox-statements.ts';
import { createSqlLeaseStore, fence } from './sql-lease-store.ts';
import { createSqlOutboxStore } from './sql-outbox-store.ts';

onEveryEngine((engine, open) => {
  const numRuns = testRounds({ short: 4, long: 12 });

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

  test('another process takes over the lease of a killed process when it has expired, and not before', async () => {
    const { database, address, advance, close } = await open();
    const items = ['1', '2'].map((id) => ({ id, payload: '', partitionKey: 'partition' }));
    await database.transaction(items.map((item) => enqueue(database, 'q', item)));
    const leases = createSqlLeaseStore(database);
    const outbox = createSqlOutboxStore(database, 'q', 'ordered');
    const script = new URL('../../../../apps/gateway/test/fixtures/lease-in-child.ts', import.meta.url).pathname;
    const child = Bun.spawn([process.execPath, script, address, 'job', 'q', '600000'], { stdout: 'pipe' });
    for await (const chunk of child.stdout) {
      expect(new TextDecoder().decode(chunk)).toContain('"acquired":true,"lease":{"name":"job","token":1}');
      break;
    }
    child.kill('SIGKILL');
    await child.exited;
    expect(await leases.acquire('job', 'me', 1_000)).toMatchObject({ acquired: false, holder: `child ${child.pid}` });
    expect(await outbox.leaseBatch(10, 1_000)).toEqual([]);
    await advance(660_000);
    expect(await leases.acquire('job', 'me', 1_000)).toEqual({ acquired: true, lease: { name: 'job', token: 2 } });
    expect(await outbox.leaseBatch(10, 1_000)).toMatchObject([{ id: '1', leaseCount: 2 }]);
    await close();
  });
});
