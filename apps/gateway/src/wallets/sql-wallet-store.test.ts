import { systemClock } from '@flowgate/base/clock';
import { createTypeIds } from '@flowgate/base/ids';
import { systemRandomBytes } from '@flowgate/base/random';
import type { Database } from '@flowgate/sql/engine/database';
import { textOf } from '@flowgate/sql/engine/row';
import { onEveryEngine } from '../../test/fixtures/sql-engines.ts';
import { createAuditedTransaction } from '../audit/sql-audited-transaction.ts';
import { createSqlWalletStore } from './sql-wallet-store.ts';
import { walletStoreContract } from './wallet-store.contract.ts';

onEveryEngine((engine, open) => {
  walletStoreContract(engine, async () => {
    const { database, other, close } = await open();
    const newId = createTypeIds(systemClock, systemRandomBytes);
    const storeOf = (on: Database) =>
      createSqlWalletStore(
        on,
        createAuditedTransaction({ database: on, clock: systemClock, newId, deadlineMs: 30_000 }),
      );
    return {
      store: storeOf(database),
      other: storeOf(other),
      async audited() {
        const rows = await database.query('SELECT action, target FROM audit_entries ORDER BY created_at, audit_id', []);
        return rows.map((row) => `${textOf(row, 'action')} ${textOf(row, 'target')}`);
      },
      close,
    };
  });
});
