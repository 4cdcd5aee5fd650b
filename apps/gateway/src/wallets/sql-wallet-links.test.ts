/** Races between deadlines and commits: the wallet is linked, its nonce spent and the action logged exactly if the call succeeded. */

import { expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { createTypeIds } from '@flowgate/base/ids';
import { systemRandomBytes } from '@flowgate/base/random';
import type { Database } from '@flowgate/sql/engine/database';
import { openPostgresDatabase } from '@flowgate/sql/engine/postgres/postgres-database';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { openAddress } from '../../test/fixtures/open-address.ts';
import { onEveryEngine } from '../../test/fixtures/sql-engines.ts';
import { createAuditedTransaction } from '../audit/sql-audited-transaction.ts';
import { schema } from '../storage/storage-schema.ts';
import { createSqlWalletStore } from './sql-wallet-store.ts';

const newId = createTypeIds(systemClock, systemRandomBytes);
const storeOf = (database: Database, deadlineMs: number) =>
  createSqlWalletStore(database, createAuditedTransaction({ database, clock: systemClock, newId, deadlineMs }));

function openWith(address: string, deadlineMs: number): Promise<Database> {
  // Closing waits for all compensations, however long a busy machine takes.
  const own = { schema, clock: systemClock, deadlineMs, writeDeadlineMs: deadlineMs, closeTimeoutMs: 60_000 };
  return address.startsWith('sqlite:')
    ? openSqliteDatabase({ ...own, file: address.slice('sqlite:'.length) })
    : openPostgresDatabase({ ...own, url: address, randomBytes: systemRandomBytes });
}

onEveryEngine((_, open) => {
  test('a wallet is linked, and its nonce spent, exactly when the call to link it succeeded (contract/wallets#link)', async () => {
    const { address } = await open();
    const links = Array.from({ length: 120 }, (_, at) => ({
      nonce: `nonce${String(at).padStart(8, '0')}`,
      userId: `user-${at % 12}`,
      address: `0x${at.toString(16).padStart(40, '0')}`,
    }));
    const patient = await openAddress(address);
    for (const { nonce, userId, address: of } of links)
      await storeOf(patient, 30_000).insertChallenge(
        { nonce, userId, address: of, chainId: 1, createdAtMs: 1, expiresAtMs: 1_000 },
        100,
      );
    const answered = new Set<string>();
    const refusedAs = new Set<string>();
    for (const [round, deadlineMs] of [1, 3, 6, 12, 5_000].entries()) {
      const database = await openWith(address, deadlineMs);
      const store = storeOf(database, deadlineMs);
      const link = async ({ nonce, userId, address: of }: (typeof links)[number]) => {
        const wallet = {
          walletId: newId('wal'),
          userId,
          address: of,
          kind: 'account',
          chainId: 1,
          createdAtMs: 1,
        } as const;
        const actor = { userId, via: 'token', requestId: 'r' } as const;
        const note = { actor, action: 'wallet.linked', target: of, details: {} } as const;
        try {
          expect(await store.link(wallet, { nonce, limit: 20, nowMs: 2, note })).toBe('linked');
          answered.add(of);
        } catch (error) {
          refusedAs.add(error instanceof Error ? error.name : String(error));
        }
      };
      await Promise.all(links.slice(round * 24, round * 24 + 24).map(link));
      await database.close();
    }
    refusedAs.delete('Unavailable');
    expect([...refusedAs]).toEqual([]);
    const column = async (query: string) => (await patient.query(query, [])).map((row) => textOf(row, 'of')).sort();
    const expected = [...answered].sort();
    expect(expected.length).toBeGreaterThanOrEqual(24);
    expect(await column('SELECT address AS "of" FROM wallets')).toEqual(expected);
    expect(await column('SELECT address AS "of" FROM wallet_challenges WHERE spent_at IS NOT NULL')).toEqual(expected);
    const reported = async (action: string) =>
      integerOf(
        (await patient.query('SELECT COUNT(*) AS n FROM audit_entries WHERE action = ?', [action]))[0] ?? {},
        'n',
      );
    expect((await reported('wallet.linked')) - (await reported('action.undone'))).toBe(expected.length);
    await patient.close();
  });
});
