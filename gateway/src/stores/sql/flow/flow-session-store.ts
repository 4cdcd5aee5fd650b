/** Sessions of Flow Apps in SQL. The guarantees are `flow/sessions/session-store.ts`'. */

import type {
  KeptBounds,
  NoRoom,
  SessionStore,
  StartLimits,
  Transition,
} from '../../../flow/sessions/session-store.ts';
import type { Lease } from '../../../platform/coordination/lease-store.ts';
import { lanePrefix } from '../../../platform/coordination/owned-lane.ts';
import { Unavailable } from '../../../platform/unavailable.ts';
import { acquisition, createSqlLeaseStore, releasing } from '../coordination/lease-store.ts';
import { dropPartition } from '../coordination/outbox-store.ts';
import { boundedPage, readPage } from '../engine/bounded-page.ts';
import type { Database, Row, Statement } from '../engine/database.ts';
import { integerOf, textOf } from '../engine/row.ts';
import { raw, sql } from '../engine/sql-text.ts';
import { appDataStatements, readAppData, readAppDatum } from './flow-app-data.ts';
import { eventStatements, webhookQueue } from './flow-event-store.ts';
import { recordOf, responseOf, sessionColumns, snapshotOf } from './flow-session-row.ts';
import { startResponse, startResponseId } from './flow-start-store.ts';
import {
  appDataHasRoom,
  sessionRowBytes,
  type UsageChange,
  usageChange,
  usageStatements,
  userHasRoom,
} from './flow-usage.ts';
import { crowdedSubscriptions } from './flow-waiting.ts';

/** What an app has acted on is worth more time than a refusal: were it given up, the app would be asked again. */
const commitDeadlineMs = 2_000;
/** Nobody waits for an expiry. */
const backgroundDeadlineMs = 2_000;
/** Of what the sessions of one page hold, before the last of them. */
const mostListedBytes = 2_097_152;

export function createSqlSessionStore(database: Database): SessionStore {
  const { dialect } = database;
  const leases = createSqlLeaseStore(database);
  const columns = raw(sessionColumns);
  const query = ({ text, values }: Statement) => database.query(text, values);

  async function lackOfRoom(change: UsageChange, bounds: KeptBounds | undefined): Promise<NoRoom | undefined> {
    const [row] = await query(sql`SELECT CASE WHEN ${appDataHasRoom(change, bounds)} THEN 1 ELSE 0 END AS of_app,
      CASE WHEN ${userHasRoom(change, bounds)} THEN 1 ELSE 0 END AS of_user`);
    if (row === undefined || integerOf(row, 'of_app') === 0) return 'app-data-full';
    return integerOf(row, 'of_user') === 0 ? 'user-full' : undefined;
  }

  /** Behind the answer. What remains because the database was unavailable is dropped when it is due. */
  function dropCrowded(answers: readonly (readonly Row[])[], userId: string): void {
    for (const subscriptionId of crowdedSubscriptions(answers))
      dropPartition(database, webhookQueue, lanePrefix(userId) + subscriptionId).catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
      });
  }

  return {
    async insert(start, limits = {}) {
      const { session, response } = start;
      const change = usageChange(start, true);
      const statements = [...usageStatements(change), ...storedStart(start), ...consequences(database, start)];
      const done = await database.transaction(statements, {
        // The transaction's first statement: what is there already, with everything that came of it, stays as it is.
        onlyIf: insertion(start, change, limits),
        serialiseOn: turnsOf(session.userId),
      });
      dropCrowded(done, session.userId);
      if (done.length > 0) return 'started';
      const there = await query(sql`SELECT session_id FROM flow_sessions WHERE session_id = ${session.sessionId}`);
      if (there.length === 1) return 'started';
      const answer = response === undefined ? [] : await query(startResponse(session.userId, response.idempotencyKey));
      if (answer.length === 1) return 'answered';
      return (await lackOfRoom(change, limits.bounds)) ?? 'full';
    },

    async hasRoom(userId, { mostActive, userBytes }) {
      const [row] = await query(sql`SELECT CASE WHEN ${isUnder(userId, mostActive)} THEN 1 ELSE 0 END AS room,
        COALESCE((SELECT bytes FROM flow_usage WHERE user_id = ${userId}), 0) AS bytes`);
      if (row === undefined || integerOf(row, 'room') === 0) return 'full';
      return integerOf(row, 'bytes') < userBytes ? 'room' : 'user-full';
    },

    async find(userId, sessionId, idempotencyKey) {
      const { text, values } =
        sql`SELECT session.*, response.body AS response_body, response.headers AS response_headers,
          CASE WHEN lease.holder IS NOT NULL AND lease.expires_at > ${dialect.now()} THEN 1 ELSE 0 END AS leased
        FROM flow_sessions AS session
        LEFT JOIN flow_responses AS response ON response.id = ${responseId(sessionId, idempotencyKey)}
        LEFT JOIN leases AS lease ON lease.name = ${leaseName(sessionId)}
        WHERE session.session_id = ${sessionId} AND session.user_id = ${userId}`;
      const [row] = await database.query(text, values);
      return row === undefined ? undefined : snapshotOf(row);
    },

    async list(userId, { appId, status }, { limit, after }) {
      const ofApp = appId === undefined ? sql`` : sql`AND app_id = ${appId}`;
      const ofStatus = status === undefined ? sql`` : sql`AND status = ${status}`;
      const older = after === undefined ? sql`` : sql`AND (created_at, session_id) < (${after.atMs}, ${after.id})`;
      const rows = await query(
        boundedPage({
          table: 'flow_sessions',
          key: 'session_id',
          columns,
          where: sql`user_id = ${userId} ${ofApp} ${ofStatus} ${older}`,
          size: raw(sessionRowBytes),
          limit,
          mostBytes: mostListedBytes,
        }),
      );
      return readPage(rows, recordOf, ({ sessionId }) => sessionId);
    },

    async acquire(sessionId, holder, ttlMs, idempotencyKey) {
      const name = leaseName(sessionId);
      const [granted = [], sessions = [], responses = []] = await database.transaction(
        [
          acquisition(database, name, holder, ttlMs),
          sql`SELECT ${columns} FROM flow_sessions WHERE session_id = ${sessionId}`,
          sql`SELECT body, headers FROM flow_responses WHERE id = ${responseId(sessionId, idempotencyKey)}`,
        ],
        {
          onlyIf: sql`SELECT session_id FROM flow_sessions WHERE session_id = ${sessionId} AND status = 'active'`,
          undo: sql`UPDATE leases SET holder = NULL WHERE name = ${name} AND holder = ${holder}`,
        },
      );
      const [session] = sessions;
      if (session === undefined) return { kind: 'over' };
      const [lease] = granted;
      if (lease === undefined) return { kind: 'running' };
      const [response] = responses;
      return {
        kind: 'acquired',
        lease: { name, token: integerOf(lease, 'token') },
        snapshot: {
          session: recordOf(session),
          isLeased: false,
          ...(response === undefined ? {} : { response: responseOf(response, 'body', 'headers') }),
        },
      };
    },

    renew: leases.renew,

    async release(lease) {
      const { name, token } = lease;
      await database.transaction([
        releasing(lease),
        // Somebody may have acquired its lease while another ended it.
        sql`DELETE FROM leases WHERE name = ${name} AND token = ${token} AND EXISTS (
          SELECT 1 FROM flow_sessions WHERE session_id = ${sessionIdOf(name)} AND status <> 'active')`,
      ]);
    },

    async commit(lease, transition, bounds) {
      const { session, response } = transition;
      const { sessionId, stateVersion, updatedAtMs } = session;
      if (leaseName(sessionId) !== lease.name) throw new Error('a lease on another session');
      const change = usageChange(transition, false);
      const store = (given: NonNullable<typeof response>) =>
        sql`INSERT INTO flow_responses (id, session_id, body, headers, created_at)
          VALUES (${responseId(sessionId, given.idempotencyKey)}, ${sessionId}, ${given.body}, ${JSON.stringify(given.headers)}, ${updatedAtMs})`;
      const done = await database.transaction(
        [
          ...usageStatements(change),
          sql`UPDATE flow_sessions SET status = ${session.status}, state_version = ${stateVersion}, step = ${JSON.stringify(session.step)},
              state = ${JSON.stringify(session.state)}, last_sequence = ${session.lastSequence}, updated_at = ${updatedAtMs},
              kept_bytes = kept_bytes + ${change.sessionBytes} - (${raw(sessionRowBytes)}),
              expires_at = ${session.expiresAtMs} ${session.status === 'active' ? sql`` : sql`, launch_context = NULL`}
            WHERE session_id = ${sessionId}`,
          ...(response === undefined ? [] : [store(response)]),
          ...consequences(database, transition),
        ],
        {
          onlyIf: sql`${lastUseOf(lease, transition)} AND ${appDataHasRoom(change, bounds)} AND ${userHasRoom(change, bounds)} RETURNING name`,
          deadlineMs: commitDeadlineMs,
          serialiseOn: turnsOf(session.userId),
        },
      );
      dropCrowded(done, session.userId);
      if (done.length > 0) return 'committed';
      const held = await query(sql`SELECT name FROM leases WHERE ${isLastUse(lease, transition)}`);
      // Room that came in between is told as somebody's who went on: the caller comes again.
      return held.length === 0 ? 'lost' : ((await lackOfRoom(change, bounds)) ?? 'lost');
    },

    appData: (userId, appId) => readAppData(database, userId, appId),

    appDatum: (userId, appId, name) => readAppDatum(database, { userId, appId }, name),

    async dueForExpiry(nowMs, limit) {
      const { text, values } = sql`SELECT session.session_id FROM flow_sessions AS session
        LEFT JOIN leases AS lease ON lease.name = ${leasePrefix} || session.session_id
        WHERE session.status = 'active' AND session.expires_at <= ${nowMs}
          AND (lease.holder IS NULL OR lease.expires_at <= ${dialect.now()})
        ORDER BY session.expires_at, session.session_id LIMIT ${limit}`;
      const rows = await database.query(text, values, { deadlineMs: backgroundDeadlineMs });
      return rows.map((row) => textOf(row, 'session_id'));
    },
  };
}

const leasePrefix = 'flow session ';

export function leaseName(sessionId: string): string {
  return `${leasePrefix}${sessionId}`;
}

function sessionIdOf(leaseName: string): string {
  return leaseName.slice(leasePrefix.length);
}

/** Keys are printable ASCII, session ids hold no colon. */
function responseId(sessionId: string, idempotencyKey: string | undefined): string | null {
  return idempotencyKey === undefined ? null : `${sessionId}:${idempotencyKey}`;
}

/**
 * The fence, and the lease's end at once: who holds the lease's row waits for nobody afterwards. Every change of a session goes through here, so the session cannot change
 * between this look at it and the end of the transaction. The lease of a session that ends is removed: should somebody get its first token again, no fence lets a session
 * that is over be changed.
 */
function lastUseOf(lease: Lease, transition: Transition): Statement {
  const end = transition.session.status === 'active' ? sql`UPDATE leases SET holder = NULL` : sql`DELETE FROM leases`;
  return sql`${end} WHERE ${isLastUse(lease, transition)}`;
}

function isLastUse({ name, token }: Lease, { session }: Transition): Statement {
  return sql`name = ${name} AND token = ${token} AND holder IS NOT NULL AND EXISTS (
    SELECT 1 FROM flow_sessions WHERE session_id = ${session.sessionId} AND status = 'active' AND state_version = ${session.stateVersion - 1})`;
}

function consequences(database: Database, { session, appData, events }: Omit<Transition, 'response'>): Statement[] {
  return [...appDataStatements(session, appData), ...eventStatements(database, session, events)];
}

/** What was left of a removed session under the same key is replaced. */
function storedStart({ session, response }: Transition): Statement[] {
  if (response === undefined) return [];
  const { userId, sessionId, createdAtMs } = session;
  const { idempotencyKey, body, headers } = response;
  return [
    sql`INSERT INTO flow_responses (id, session_id, body, headers, created_at)
      VALUES (${startResponseId(userId, idempotencyKey)}, ${sessionId}, ${body}, ${JSON.stringify(headers)}, ${createdAtMs})
      ON CONFLICT (id) DO UPDATE SET session_id = excluded.session_id, body = excluded.body, headers = excluded.headers, created_at = excluded.created_at`,
  ];
}

/** No row when the session is there already, its key has a response, its user has as many active ones, or no room for it. */
function insertion(
  { session, response }: Transition,
  change: UsageChange,
  { mostActive, bounds }: StartLimits,
): Statement {
  const isFresh =
    response === undefined ? sql`1 = 1` : sql`NOT EXISTS (${startResponse(session.userId, response.idempotencyKey)})`;
  const launchContext = session.launchContext === undefined ? null : JSON.stringify(session.launchContext);
  return sql`INSERT INTO flow_sessions (${raw(sessionColumns)}, kept_bytes)
    SELECT CAST(${session.sessionId} AS TEXT), CAST(${session.userId} AS TEXT), CAST(${session.appId} AS TEXT),
      CAST(${session.version} AS TEXT), CAST(${session.status} AS TEXT), CAST(${session.stateVersion} AS BIGINT),
      CAST(${JSON.stringify(session.step)} AS TEXT), CAST(${JSON.stringify(session.state)} AS TEXT), CAST(${launchContext} AS TEXT),
      CAST(${session.lastSequence} AS BIGINT), CAST(${session.createdAtMs} AS BIGINT), CAST(${session.updatedAtMs} AS BIGINT),
      CAST(${session.expiresAtMs} AS BIGINT), CAST(${change.sessionBytes} AS BIGINT)
    WHERE ${isFresh} AND ${appDataHasRoom(change, bounds)} AND ${userHasRoom(change, bounds)}
      AND ${mostActive === undefined ? sql`1 = 1` : isUnder(session.userId, mostActive)}
    ON CONFLICT (session_id) DO NOTHING RETURNING session_id`;
}

/** Counts in an index, and no further than it has to. */
function isUnder(userId: string, mostActive: number): Statement {
  return sql`(SELECT COUNT(*) FROM (
    SELECT 1 FROM flow_sessions WHERE user_id = ${userId} AND status = 'active' LIMIT ${mostActive}) AS active) < ${mostActive}`;
}

/** What a user keeps is counted, and two sessions of one user and app could lock the names that they change in different orders. */
function turnsOf(userId: string): string {
  return `flow sessions of ${userId}`;
}
