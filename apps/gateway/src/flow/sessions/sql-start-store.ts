/** Starts with an idempotency key in SQL. `flow/sessions/start-store.ts` states the guarantees. */

import { createHash } from 'node:crypto';
import { acquisition, createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import { integerOf } from '@flowgate/sql/engine/row';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import { responsesTable } from './session-tables.ts';
import type { StartStore } from './start-store.ts';

const storedResponse = selection(responsesTable, 'body', 'headers');

const leasePrefix = 'flow start ';
/** The first text after all texts with the prefix, because texts are compared by bytes. */
const afterPrefix = 'flow start!';
const retentionMs = 60_000;
/** Milliseconds for a removal, which no request waits for. */
const backgroundDeadlineMs = 2_000;

export function createSqlStartStore(database: Database): StartStore {
  const { dialect } = database;
  const leases = createSqlLeaseStore(database);
  return {
    async find(userId, idempotencyKey) {
      const { text, values } = startResponse(userId, idempotencyKey);
      const [row] = await database.query(text, values);
      return row === undefined ? undefined : storedResponse.read(row);
    },

    async acquire(userId, idempotencyKey, holder, ttlMs) {
      const name = `${leasePrefix}${createHash('sha256').update(startResponseId(userId, idempotencyKey)).digest('base64url')}`;
      const [granted = [], responses = []] = await database.transaction(
        [acquisition(database, name, holder, ttlMs), startResponse(userId, idempotencyKey)],
        {
          isLostWithPower: true,
          undo: [sql`UPDATE leases SET holder = NULL WHERE name = ${name} AND holder = ${holder}`],
        },
      );
      const [[lease], [response]] = [granted, responses];
      if (lease === undefined) return { kind: 'running' };
      return {
        kind: 'acquired',
        lease: { name, token: integerOf(lease, 'token') },
        ...(response === undefined ? {} : { response: storedResponse.read(response) }),
      };
    },

    renew: leases.renew,

    async release(lease) {
      await leases.release(lease);
    },

    async forgetEnded(limit) {
      const ended = sql`name >= ${leasePrefix} AND name < ${afterPrefix} AND expires_at <= ${dialect.now()} - ${retentionMs}`;
      await database.transaction(
        [sql`DELETE FROM leases WHERE name IN (SELECT name FROM leases WHERE ${ended} LIMIT ${limit}) AND ${ended}`],
        { deadlineMs: backgroundDeadlineMs },
      );
    },
  };
}

/** Unique for each user and key, and different from the ids of submissions' responses, which begin with a session's id. */
export function startResponseId(userId: string, idempotencyKey: string): string {
  return `start ${JSON.stringify([userId, idempotencyKey])}`;
}

/** A query for the response that was stored under the user's key. A response of a removed session does not count. */
export function startResponse(userId: string, idempotencyKey: string): Statement {
  return sql`SELECT ${storedResponse.list} FROM flow_responses AS response WHERE id = ${startResponseId(userId, idempotencyKey)}
    AND EXISTS (SELECT 1 FROM flow_sessions AS session WHERE session.session_id = response.session_id)`;
}
