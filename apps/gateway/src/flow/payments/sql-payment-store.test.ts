import { expect, test } from 'bun:test';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Database } from '@flowgate/sql/engine/database';
import { onEveryEngine } from '../../../test/fixtures/sql-engines.ts';
import { paymentStoreContract } from './payment-store.contract.ts';
import { createSqlPaymentStore } from './sql-payment-store.ts';

onEveryEngine((engine, open) => {
  paymentStoreContract(engine, async () => {
    const { database, other, close } = await open();
    return { store: createSqlPaymentStore(database), other: createSqlPaymentStore(other), close };
  });

  test('an operation that ended in Unavailable is compensated: no unsent payment is settling, and no payment remains reserved', async () => {
    const { database, close } = await open();
    const [store, losing] = [createSqlPaymentStore(database), createSqlPaymentStore(losingAnswers(database))];
    const step = { sessionId: 'ses_1', stateVersion: 1, stepId: 'pay' };
    const requirement = { scheme: 'exact', network: 'eip155:1', asset: '0x1', amount: '1', payTo: '0x2' };
    const payment = { ...step, paymentId: 'p', requirement };
    expect(await refusalOf(losing.reserve({ ...payment, holder: 'a' }, 1))).toBeInstanceOf(Unavailable);
    expect(await store.find(step)).toBeUndefined();
    expect(await store.reserve({ ...payment, holder: 'b' }, 1)).toMatchObject({ kind: 'acquired' });
    expect(await refusalOf(losing.beginSettling('p', 'b', 7, 2))).toBeInstanceOf(Unavailable);
    expect(await store.find(step)).toMatchObject({ status: 'reserved', holder: 'b' });
    // A payment of a later attempt is not touched.
    expect(await store.beginSettling('p', 'b', 7, 2)).toBe(true);
    expect(await refusalOf(losing.reserve({ ...payment, holder: 'c' }, 3))).toBeInstanceOf(Unavailable);
    expect(await store.find(step)).toMatchObject({ status: 'settling', fromBlock: 7 });
    await close();
  });
});

async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([call]);
  return outcome?.status === 'rejected' ? outcome.reason : undefined;
}

/** Executes everything, runs the given compensation, and throws `Unavailable`, as the engines do after their deadline. */
function losingAnswers(database: Database): Database {
  return {
    dialect: database.dialect,
    query: (...call) => database.query(...call),
    async transaction(statements, options = {}) {
      await database.transaction(statements, options);
      if (options.undo !== undefined) await database.transaction(options.undo);
      throw new Unavailable('database', 'no answer');
    },
    ping: () => database.ping(),
    close: () => database.close(),
  };
}
