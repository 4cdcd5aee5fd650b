/** Removes old sessions in SQL, in small steps. `flow/sessions/retention-store.ts` states the guarantees. */

import type { Database, Row } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { textOf } from '@flowgate/sql/engine/row';
import { list, raw, sql } from '@flowgate/sql/engine/sql-text';
import type { RetentionStore } from './retention-store.ts';
import { leaseName } from './sql-session-statements.ts';
import { sessionRowBytes } from './sql-stored-bytes.ts';

/** Maximum bytes that one transaction deletes, without the last row. On SQLite, requests wait for it, and it reads every large text that it deletes. */
const maxBytes = 2_097_152;
const maxRows = 200;
/** Maximum number of sessions whose responses and events are cleared together. */
const maxSessions = 50;
/** Maximum number of users that are examined together. */
const maxFullUsers = 200;
/** For `serializeOn`: two concurrent leaders run one after the other, because deleting the same rows in different orders could deadlock. No request waits for it. */
const inTurns = { serializeOn: 'flow retention', deadlineMs: 2_000 };

export function createSqlRetentionStore(database: Database): RetentionStore {
  const query = ({ text, values }: Fragment) => database.query(text, values, { deadlineMs: inTurns.deadlineMs });
  const endedBy = (atMs: number) => sql`status <> 'active' AND updated_at <= ${atMs}`;

  /** Removes up to `limit` of these sessions, ordered by this column; fewer if they are large. */
  async function remove(ended: Fragment, order: 'updated_at' | 'created_at', limit: number): Promise<number> {
    const by = raw(`${order}, session_id`);
    const found = await query(sql`WITH sized AS (
        SELECT session_id, ${raw(order)}, ${raw(sessionRowBytes)} AS size FROM flow_sessions
        WHERE ${ended} ORDER BY ${by} LIMIT ${limit}
      ), placed AS (SELECT session_id, SUM(size) OVER (ORDER BY ${by}) - size AS before FROM sized)
      SELECT session_id FROM placed WHERE before <= ${maxBytes}`);
    if (found.length === 0) return 0;
    const ids = idsOf(found);
    const these = sql`session_id IN (${list(ids)})`;
    const [, , removed = []] = await database.transaction(
      [
        sql`INSERT INTO flow_removed_sessions (session_id, removed_at)
          SELECT session_id, ${database.dialect.now()} FROM flow_sessions WHERE ${these} AND ${ended} ON CONFLICT (session_id) DO NOTHING`,
        sql`UPDATE flow_usage SET bytes = bytes - (
            SELECT SUM(kept_bytes) FROM flow_sessions WHERE flow_sessions.user_id = flow_usage.user_id AND ${these} AND ${ended})
          WHERE user_id IN (SELECT user_id FROM flow_sessions WHERE ${these} AND ${ended})`,
        sql`DELETE FROM flow_sessions WHERE ${these} AND ${ended} RETURNING session_id`,
        sql`DELETE FROM flow_payments WHERE ${these} AND status = 'reserved'
          AND session_id IN (SELECT session_id FROM flow_removed_sessions)`,
        // Leases of holders that crashed between acquiring one and learning that the session was over.
        sql`DELETE FROM leases WHERE name IN (${list(ids.map(leaseName))})`,
      ],
      inTurns,
    );
    return removed.length;
  }

  return {
    removeEnded: (endedByMs, limit) => remove(endedBy(endedByMs), 'updated_at', limit),

    async removeOfFull(bytes, endedByMs, limit) {
      const full = await query(
        sql`SELECT user_id FROM flow_usage WHERE bytes > ${bytes} ORDER BY bytes DESC LIMIT ${maxFullUsers}`,
      );
      let removed = 0;
      for (const row of full)
        removed += await remove(
          sql`user_id = ${textOf(row, 'user_id')} AND ${endedBy(endedByMs)}`,
          'created_at',
          limit,
        );
      return removed;
    },

    async clearRemains() {
      const ids = idsOf(await query(sql`SELECT session_id FROM flow_removed_sessions LIMIT ${maxSessions}`));
      if (ids.length === 0) return false;
      const these = sql`session_id IN (${list(ids)})`;
      await database.transaction(
        [
          deletion('flow_responses', sql`octet_length(body) + octet_length(headers)`, these),
          deletion('flow_events', sql`octet_length(data)`, these),
          sql`DELETE FROM flow_removed_sessions WHERE ${these}
            AND NOT EXISTS (SELECT 1 FROM flow_responses WHERE flow_responses.session_id = flow_removed_sessions.session_id)
            AND NOT EXISTS (SELECT 1 FROM flow_events WHERE flow_events.session_id = flow_removed_sessions.session_id)`,
        ],
        inTurns,
      );
      return true;
    },
  };
}

/**
 * The rows of these sessions that may be deleted at once, by their lengths, without reading the texts. The row's session is checked again at the end: by now, the response under
 * a start's key may belong to another session.
 */
function deletion(table: 'flow_responses' | 'flow_events', size: Fragment, these: Fragment): Fragment {
  return sql`WITH sized AS (SELECT id, ${size} AS size FROM ${raw(table)} WHERE ${these} LIMIT ${maxRows}),
      placed AS (SELECT id, SUM(size) OVER (ORDER BY id) - size AS before FROM sized)
    DELETE FROM ${raw(table)} WHERE ${these} AND id IN (SELECT id FROM placed WHERE before <= ${maxBytes})`;
}

function idsOf(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => textOf(row, 'session_id'));
}
