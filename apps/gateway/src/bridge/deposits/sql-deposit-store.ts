/** Deposits in SQL, for readers. The guarantees are in `bridge/deposits/deposit-store.ts`. */

import type { Database, Statement } from '@flowgate/sql/engine/database';
import { textOf } from '@flowgate/sql/engine/row';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selectionWithout } from '@flowgate/sql/engine/table';
import { readWalletPage } from '../lists/sql-wallet-page.ts';
import type { DepositStore } from './deposit-store.ts';
import { bridgeDepositsTable } from './deposit-tables.ts';

/** The columns of records; the other columns are for the leader. */
export const depositColumns = selectionWithout(
  bridgeDepositsTable,
  ...(['openBlock', 'dueAtMs', 'checkAtMs'] as const),
);

function withTransaction(hash: string): Statement {
  return sql`SELECT deposit_id AS wanted_id FROM bridge_deposits WHERE transaction_hash = ${hash}
    UNION SELECT deposit_id AS wanted_id FROM bridge_deposits WHERE l2_hash = ${hash}`;
}

export function createSqlDepositStore(database: Database): DepositStore {
  const query = ({ text, values }: Statement) => database.query(text, values);
  return {
    async list({ senders, receivers, statuses, transactionHash, newerThanMs, page }) {
      const { records: places, next } = await readWalletPage(database, {
        ...{ table: 'bridge_deposits', id: 'deposit_id', partition: 'bridge_id', page },
        roles: [
          { column: 'from_address', places: senders },
          { column: 'to_address', places: receivers },
        ],
        ...{ newerThanMs, oneOf: statuses && { column: 'status', values: statuses } },
        within: transactionHash === undefined ? undefined : withTransaction(transactionHash),
      });
      if (places.length === 0) return { records: [] };
      const ids = places.map(({ id }) => id);
      const rows = await query(
        sql`SELECT ${depositColumns.list} FROM bridge_deposits WHERE deposit_id IN (${list(ids)})`,
      );
      const byId = new Map(rows.map(depositColumns.read).map((record) => [record.depositId, record]));
      // A record may have changed meanwhile, but is never removed.
      const records = ids.flatMap((id) => byId.get(id) ?? []);
      return { records, ...(next !== undefined && { next }) };
    },

    async find(depositId) {
      const [row] = await query(
        sql`SELECT ${depositColumns.list} FROM bridge_deposits WHERE deposit_id = ${depositId}`,
      );
      return row === undefined ? undefined : depositColumns.read(row);
    },

    async claimChecks(depositIds, everyMs, nowMs) {
      if (depositIds.length === 0) return new Set();
      // A time in the future comes from a clock that was set back.
      const [claimed = []] = await database.transaction([
        sql`UPDATE bridge_deposits SET looked_at = ${nowMs}, look_at = ${nowMs + everyMs}
          WHERE deposit_id IN (${list([...depositIds].sort())}) AND look_at IS NOT NULL
            AND (looked_at IS NULL OR looked_at <= ${nowMs - everyMs} OR looked_at > ${nowMs})
          RETURNING deposit_id`,
      ]);
      return new Set(claimed.map((row) => textOf(row, 'deposit_id')));
    },

    async storeReasons(reasons) {
      const ordered = reasons.toSorted((one, other) => (one.deposit.depositId < other.deposit.depositId ? -1 : 1));
      await database.transaction(
        ordered.map(
          ({ deposit, reason }) => sql`UPDATE bridge_deposits SET stalled_reason = ${reason}
            WHERE deposit_id = ${deposit.depositId} AND status_changed_at = ${deposit.statusChangedAtMs}
              AND status = ${deposit.status}`,
        ),
      );
    },
  };
}
