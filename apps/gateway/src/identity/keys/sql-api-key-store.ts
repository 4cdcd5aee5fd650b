/** API keys in SQL: the same text of each query for every engine. The guarantees are in `api-key-store.ts`. */

import type { Database, Statement } from '@flowgate/sql/engine/database';
import { pageOf } from '@flowgate/sql/engine/page-rows';
import { textOf } from '@flowgate/sql/engine/row';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { AuditedTransaction } from '../../audit/sql-audited-transaction.ts';
import type { ApiKeyStore, RevokeOutcome } from './api-key-store.ts';
import { apiKeysTable } from './api-keys-table.ts';

const keys = selection(apiKeysTable);

/** Rows in one `touch` statement: a few milliseconds of the writer's time, so that other writes are not delayed. */
const touchRows = 100;
/** No request waits for this write, so it may take longer. */
const backgroundDeadlineMs = 2_000;

export function createSqlApiKeyStore(database: Database, audited: AuditedTransaction): ApiKeyStore {
  const query = ({ text, values }: Statement, options = {}) => database.query(text, values, options);
  return {
    async insertIfUnder(record, limit, nowMs, note) {
      const { keyId, ownerId } = record;
      const insert = sql`INSERT INTO api_keys (${keys.list}) SELECT ${keys.typedValues(record)}
        WHERE (
          SELECT COUNT(*) FROM api_keys
          WHERE owner_id = ${ownerId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${nowMs})
        ) < ${limit}
        RETURNING key_id`;
      const [inserted = []] = await audited(
        [insert],
        { note, done: 0 },
        {
          serializeOn: `api-keys of ${ownerId}`,
          undo: [sql`DELETE FROM api_keys WHERE key_id = ${keyId}`],
        },
      );
      return inserted.length === 1;
    },

    async find(keyId) {
      const [row] = await query(sql`SELECT ${keys.list} FROM api_keys WHERE key_id = ${keyId}`);
      return row === undefined ? undefined : keys.read(row);
    },

    async list(ownerId, { limit, after }) {
      const older = after === undefined ? sql`` : sql`AND (created_at, key_id) < (${after.atMs}, ${after.id})`;
      const rows = await query(sql`SELECT ${keys.list} FROM api_keys WHERE owner_id = ${ownerId} ${older}
        ORDER BY created_at DESC, key_id DESC LIMIT ${limit + 1}`);
      return pageOf(rows.map(keys.read), limit, ({ keyId }) => keyId);
    },

    async revoke(ownerId, keyId, atMs, note): Promise<RevokeOutcome> {
      const [revoked = [], owned = []] = await audited(
        [
          sql`UPDATE api_keys SET revoked_at = ${atMs}
            WHERE key_id = ${keyId} AND owner_id = ${ownerId} AND revoked_at IS NULL RETURNING key_id`,
          sql`SELECT key_id FROM api_keys WHERE key_id = ${keyId} AND owner_id = ${ownerId}`,
        ],
        { note, done: 0 },
        { usesReserve: true },
      );
      if (revoked.length > 0) return 'revoked';
      return owned.length > 0 ? 'already-revoked' : 'absent';
    },

    async revokedSince(atMs, limit) {
      const newest = sql`SELECT key_id FROM api_keys WHERE revoked_at >= ${atMs} ORDER BY revoked_at DESC, key_id LIMIT ${limit}`;
      const rows = await query(newest, { deadlineMs: backgroundDeadlineMs });
      return rows.map((row) => textOf(row, 'key_id'));
    },

    async touch(usedAtMs) {
      // All nodes use the same order, so that two nodes that write the same keys do not deadlock.
      const uses = [...usedAtMs].sort(([left], [right]) => (left < right ? -1 : 1));
      for (let at = 0; at < uses.length; at += touchRows) {
        await database.transaction([touchStatement(uses.slice(at, at + touchRows))], {
          deadlineMs: backgroundDeadlineMs,
        });
      }
    },
  };
}

function touchStatement(uses: readonly (readonly [string, number])[]): Statement {
  const rows = list(uses.map(([keyId, atMs]) => sql`(CAST(${keyId} AS TEXT), CAST(${atMs} AS BIGINT))`));
  return sql`UPDATE api_keys SET last_used_at = used.column2 FROM (VALUES ${rows}) AS used
    WHERE api_keys.key_id = used.column1 AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.column2)`;
}
