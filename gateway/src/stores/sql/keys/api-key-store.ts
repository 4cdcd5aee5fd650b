/** API keys in SQL: one text of each query for every engine. The guarantees are `access/api-key-store.ts`'. */

import type { ApiKeyRecord, ApiKeyStore, RevokeOutcome } from '../../../access/api-key-store.ts';
import type { Database, Row, SqlValue, Statement } from '../engine/database.ts';
import { pageOf } from '../engine/page-rows.ts';
import { integerOf, optionalInteger, textListOf, textOf } from '../engine/row.ts';

const columns =
  'key_id, owner_id, label, scopes, digest, pepper_version, created_at, expires_at, last_used_at, revoked_at';

const sql = {
  insertIfUnder: `INSERT INTO api_keys (${columns})
    SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
      CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT)
    WHERE (
      SELECT COUNT(*) FROM api_keys WHERE owner_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
    ) < ?
    RETURNING key_id`,
  remove: 'DELETE FROM api_keys WHERE key_id = ?',
  find: `SELECT ${columns} FROM api_keys WHERE key_id = ?`,
  list: `SELECT ${columns} FROM api_keys WHERE owner_id = ? ORDER BY created_at DESC, key_id DESC LIMIT ?`,
  listAfter: `SELECT ${columns} FROM api_keys WHERE owner_id = ? AND (created_at, key_id) < (?, ?)
    ORDER BY created_at DESC, key_id DESC LIMIT ?`,
  revoke:
    'UPDATE api_keys SET revoked_at = ? WHERE key_id = ? AND owner_id = ? AND revoked_at IS NULL RETURNING key_id',
  owned: 'SELECT key_id FROM api_keys WHERE key_id = ? AND owner_id = ?',
  revokedSince: 'SELECT key_id FROM api_keys WHERE revoked_at >= ? ORDER BY revoked_at DESC, key_id LIMIT ?',
  touch: (rows: number) => `UPDATE api_keys SET last_used_at = used.column2
    FROM (VALUES ${Array(rows).fill('(CAST(? AS TEXT), CAST(? AS BIGINT))').join(', ')}) AS used
    WHERE api_keys.key_id = used.column1 AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.column2)`,
};

/** Rows in one `touch` statement: a few milliseconds of the writer's time, so that nobody waits long behind it. */
const touchRows = 100;
/** Nobody waits for it, so it may wait itself. */
const backgroundDeadlineMs = 2_000;

export function createSqlApiKeyStore(database: Database): ApiKeyStore {
  return {
    async insertIfUnder(record, limit, nowMs) {
      const insert = { text: sql.insertIfUnder, values: [...valuesOf(record), record.ownerId, nowMs, limit] };
      const undo = { text: sql.remove, values: [record.keyId] };
      const [inserted = []] = await database.transaction([insert], {
        serialiseOn: `api-keys of ${record.ownerId}`,
        undo,
      });
      return inserted.length === 1;
    },

    async find(keyId) {
      const [row] = await database.query(sql.find, [keyId]);
      return row === undefined ? undefined : recordOf(row);
    },

    async list(ownerId, { limit, after }) {
      const rows =
        after === undefined
          ? await database.query(sql.list, [ownerId, limit + 1])
          : await database.query(sql.listAfter, [ownerId, after.atMs, after.id, limit + 1]);
      return pageOf(rows.map(recordOf), limit, ({ keyId }) => keyId);
    },

    async revoke(ownerId, keyId, atMs): Promise<RevokeOutcome> {
      const [revoked = [], owned = []] = await database.transaction(
        [
          { text: sql.revoke, values: [atMs, keyId, ownerId] },
          { text: sql.owned, values: [keyId, ownerId] },
        ],
        { usesReserve: true },
      );
      if (revoked.length > 0) return 'revoked';
      return owned.length > 0 ? 'already-revoked' : 'absent';
    },

    async revokedSince(atMs, limit) {
      const rows = await database.query(sql.revokedSince, [atMs, limit], { deadlineMs: backgroundDeadlineMs });
      return rows.map((row) => textOf(row, 'key_id'));
    },

    async touch(usedAtMs) {
      // One order everywhere: two nodes that write the same keys must not wait for each other in a circle.
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
  return { text: sql.touch(uses.length), values: uses.flat() };
}

function valuesOf(record: ApiKeyRecord): SqlValue[] {
  return [
    record.keyId,
    record.ownerId,
    record.label,
    JSON.stringify(record.scopes),
    record.digest,
    record.pepperVersion,
    record.createdAtMs,
    record.expiresAtMs ?? null,
    record.lastUsedAtMs ?? null,
    record.revokedAtMs ?? null,
  ];
}

function recordOf(row: Row): ApiKeyRecord {
  return {
    keyId: textOf(row, 'key_id'),
    ownerId: textOf(row, 'owner_id'),
    label: textOf(row, 'label'),
    scopes: textListOf(row, 'scopes'),
    digest: textOf(row, 'digest'),
    pepperVersion: textOf(row, 'pepper_version'),
    createdAtMs: integerOf(row, 'created_at'),
    ...optionalInteger(row, 'expires_at', 'expiresAtMs'),
    ...optionalInteger(row, 'last_used_at', 'lastUsedAtMs'),
    ...optionalInteger(row, 'revoked_at', 'revokedAtMs'),
  };
}
