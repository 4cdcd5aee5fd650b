/** Users' own limits in SQL, and a revision by which every gateway finds their changes. `limits/user-limits-store.ts` states the guarantees. */

import type { Clock } from '@flowgate/base/clock';
import { bumpRevision, readRevision } from '@flowgate/sql/coordination/revisions';
import type { Database } from '@flowgate/sql/engine/database';
import { textOf } from '@flowgate/sql/engine/row';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection, selectionWithout } from '@flowgate/sql/engine/table';
import type { AuditedTransaction } from '../audit/sql-audited-transaction.ts';
import type { UserLimitsStore } from './user-limits-store.ts';
import { userLimitsTable } from './user-limits-table.ts';

const columns = selection(userLimitsTable);
const limitColumns = selectionWithout(userLimitsTable, 'userId', 'updatedAtMs');
const name = 'user limits';
/** No request waits for a load. */
const loadDeadlineMs = 2_000;
/** More rows than `maxUsersWithLimits` allows. */
const maxLoaded = 20_000;

export function createSqlUserLimitsStore(
  database: Database,
  audited: AuditedTransaction,
  clock: Pick<Clock, 'now'>,
): UserLimitsStore {
  return {
    async load() {
      // The revision is read before the rows: a change between the two reads is loaded again, and none is missed.
      const revision = await readRevision(database, name);
      const { text, values } = sql`SELECT user_id, ${limitColumns.list} FROM user_limits LIMIT ${maxLoaded}`;
      const rows = await database.query(text, values, { deadlineMs: loadDeadlineMs });
      return { revision, value: new Map(rows.map((row) => [textOf(row, 'user_id'), limitColumns.read(row)])) };
    },

    revision: () => readRevision(database, name),

    async find(userId) {
      const { text, values } = sql`SELECT ${limitColumns.list} FROM user_limits WHERE user_id = ${userId}`;
      const [row] = await database.query(text, values);
      return row === undefined ? undefined : limitColumns.read(row);
    },

    async set(userId, limits, limit, note) {
      const record = { ...limits, userId, updatedAtMs: clock.now() };
      // `bumpRevision` locks the revision's row first, so counts of concurrent changes include each other.
      const upsert = sql`INSERT INTO user_limits (${columns.list}) SELECT ${columns.typedValues(record)}
        WHERE (SELECT COUNT(*) FROM user_limits WHERE user_id <> ${userId}) < ${limit}
        ON CONFLICT (user_id) DO UPDATE SET user_per_minute = excluded.user_per_minute,
          session_per_minute = excluded.session_per_minute, max_active_keys = excluded.max_active_keys,
          nodes = excluded.nodes, updated_at = excluded.updated_at
        RETURNING user_id`;
      const [, stored = []] = await audited([bumpRevision(name), upsert], { note, done: 1 });
      return stored.length === 1 ? 'set' : 'full';
    },

    async remove(userId, note) {
      const removal = sql`DELETE FROM user_limits WHERE user_id = ${userId} RETURNING user_id`;
      await audited([bumpRevision(name), removal], { note, done: 1 });
    },
  };
}
