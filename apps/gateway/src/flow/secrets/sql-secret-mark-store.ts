/** Marks of secrets in SQL. `flow/secrets/secret-mark-store.ts` states the guarantees. */

import type { Database, Statement } from '@flowgate/sql/engine/database';
import { textOf } from '@flowgate/sql/engine/row';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { SecretMarkStore } from './secret-mark-store.ts';
import { secretMarksTable } from './secret-mark-table.ts';

const columns = selection(secretMarksTable);

/** A query that returns a row if the owner has a mark. */
export function secretMarkOf({ userId, appId }: { readonly userId: string; readonly appId: string }): Statement {
  return sql`SELECT 1 AS there FROM flow_secret_marks WHERE user_id = ${userId} AND app_id = ${appId} LIMIT 1`;
}

export function createSqlSecretMarkStore(database: Database): SecretMarkStore {
  return {
    async find(userId, appId, max) {
      const { text, values } = sql`SELECT mark FROM flow_secret_marks WHERE user_id = ${userId} AND app_id = ${appId}
        ORDER BY created_at DESC, mark DESC LIMIT ${max}`;
      const rows = await database.query(text, values);
      return rows.map((row) => textOf(row, 'mark'));
    },

    async remember({ userId, appId }, marks, atMs, max) {
      const rows = marks.map((mark) => sql`(${columns.values({ mark, userId, appId, createdAtMs: atMs })})`);
      await database.transaction(
        [
          sql`INSERT INTO flow_secret_marks (${columns.list}) VALUES ${list(rows)}
            ON CONFLICT (mark) DO UPDATE SET created_at = excluded.created_at`,
          sql`DELETE FROM flow_secret_marks WHERE mark IN (
            SELECT mark FROM flow_secret_marks WHERE user_id = ${userId} AND app_id = ${appId}
            ORDER BY created_at DESC, mark DESC LIMIT ${max} OFFSET ${max})`,
        ],
        // Two concurrent transactions could lock the same rows in different orders.
        { serializeOn: `flow secrets of ${userId}` },
      );
    },
  };
}
