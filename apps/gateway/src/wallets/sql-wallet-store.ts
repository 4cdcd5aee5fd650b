/** Linked wallets in SQL: the same query text for every engine. `wallets/wallet-store.ts` states the guarantees. */

import type { Database, Statement } from '@flowgate/sql/engine/database';
import { pageOf } from '@flowgate/sql/engine/page-rows';
import { integerOf } from '@flowgate/sql/engine/row';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { AuditedTransaction } from '../audit/sql-audited-transaction.ts';
import type { WalletStore } from './wallet-store.ts';
import { walletChallengesTable, walletsTable } from './wallets-tables.ts';

const wallets = selection(walletsTable);
const challenges = selection(walletChallengesTable);

/** The expired challenges that each new challenge deletes: more than one, so that they do not accumulate. */
const sweptRows = 20;

export function createSqlWalletStore(database: Database, audited: AuditedTransaction): WalletStore {
  const query = ({ text, values }: Statement) => database.query(text, values);
  return {
    async insertChallenge(challenge, maxPerUser) {
      const { userId, createdAtMs } = challenge;
      await database.transaction([
        sql`DELETE FROM wallet_challenges WHERE nonce IN (
          SELECT nonce FROM wallet_challenges WHERE expires_at <= ${createdAtMs} ORDER BY expires_at LIMIT ${sweptRows}
        )`,
        sql`INSERT INTO wallet_challenges (${challenges.list}) VALUES (${challenges.values(challenge)})`,
        sql`DELETE FROM wallet_challenges WHERE nonce IN (
          SELECT nonce FROM wallet_challenges WHERE user_id = ${userId}
          ORDER BY created_at DESC, nonce DESC LIMIT ${sweptRows} OFFSET ${maxPerUser}
        )`,
      ]);
    },

    async findChallenge(userId, nonce) {
      const [row] = await query(
        sql`SELECT ${challenges.list} FROM wallet_challenges WHERE nonce = ${nonce} AND user_id = ${userId}`,
      );
      return row === undefined ? undefined : challenges.read(row);
    },

    async link(wallet, { nonce, limit, nowMs, note }) {
      const { walletId, userId, address } = wallet;
      const isOpen = sql`EXISTS (
        SELECT 1 FROM wallet_challenges
        WHERE nonce = ${nonce} AND user_id = ${userId} AND address = ${address} AND spent_at IS NULL AND expires_at > ${nowMs}
      )`;
      const own = sql`SELECT COUNT(*) FROM wallets WHERE user_id = ${userId}`;
      const same = sql`EXISTS (SELECT 1 FROM wallets WHERE user_id = ${userId} AND address = ${address})`;
      const [linked = [], , [state] = []] = await audited(
        [
          sql`INSERT INTO wallets (${wallets.list}) SELECT ${wallets.typedValues(wallet)}
            WHERE ${isOpen} AND NOT ${same} AND (${own}) < ${limit} RETURNING wallet_id`,
          sql`UPDATE wallet_challenges SET spent_at = ${nowMs}
            WHERE nonce = ${nonce} AND EXISTS (SELECT 1 FROM wallets WHERE wallet_id = ${walletId})`,
          sql`SELECT CASE WHEN NOT ${isOpen} THEN 1 ELSE 0 END AS is_spent, CASE WHEN ${same} THEN 1 ELSE 0 END AS is_linked`,
        ],
        { note, done: 0 },
        {
          serializeOn: `wallets of ${userId}`,
          undo: [
            sql`UPDATE wallet_challenges SET spent_at = NULL
              WHERE nonce = ${nonce} AND EXISTS (SELECT 1 FROM wallets WHERE wallet_id = ${walletId})`,
            sql`DELETE FROM wallets WHERE wallet_id = ${walletId}`,
          ],
        },
      );
      if (linked.length === 1) return 'linked';
      if (state !== undefined && integerOf(state, 'is_spent') === 1) return 'spent';
      return state !== undefined && integerOf(state, 'is_linked') === 1 ? 'already-linked' : 'full';
    },

    async find(userId, address) {
      const [row] = await query(
        sql`SELECT ${wallets.list} FROM wallets WHERE user_id = ${userId} AND address = ${address}`,
      );
      return row === undefined ? undefined : wallets.read(row);
    },

    async list(userId, { limit, after }) {
      const older = after === undefined ? sql`` : sql`AND (created_at, wallet_id) < (${after.atMs}, ${after.id})`;
      const rows = await query(sql`SELECT ${wallets.list} FROM wallets WHERE user_id = ${userId} ${older}
        ORDER BY created_at DESC, wallet_id DESC LIMIT ${limit + 1}`);
      return pageOf(rows.map(wallets.read), limit, ({ walletId }) => walletId);
    },

    async unlink(userId, address, note) {
      const [unlinked = []] = await audited(
        [sql`DELETE FROM wallets WHERE user_id = ${userId} AND address = ${address} RETURNING wallet_id`],
        { note, done: 0 },
      );
      return unlinked.length === 1;
    },
  };
}
