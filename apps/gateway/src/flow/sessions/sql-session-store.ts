/** Sessions of Flow Apps in SQL. `flow/sessions/session-store.ts` states the guarantees. */

import { Unavailable } from '@flowgate/base/unavailable';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import { dropPartition } from '@flowgate/sql/coordination/outbox-statements';
import { acquisition, createSqlLeaseStore, releasing } from '@flowgate/sql/coordination/sql-lease-store';
import { boundedPage, readPage } from '@flowgate/sql/engine/bounded-page';
import type { Database, Row, Statement } from '@flowgate/sql/engine/database';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { raw, sql } from '@flowgate/sql/engine/sql-text';
import { webhookQueue } from '../events/sql-event-store.ts';
import { serializeUser } from '../events/sql-serialize-user.ts';
import { crowdedSubscriptions } from '../events/sql-waiting-deliveries.ts';
import { webhookPartition } from '../events/webhook-partition.ts';
import { secretMarkOf } from '../secrets/sql-secret-mark-store.ts';
import type { NoRoom, SessionStore, StorageBounds, Transition, Unseen } from './session-store.ts';
import { readAppData, readAppDatum, smallAppData } from './sql-app-data.ts';
import {
  consequences,
  insertion,
  isLastUse,
  isUnder,
  lastUseOf,
  leaseName,
  leasePrefix,
  sessionIdOf,
  storedStart,
  transitionStatements,
} from './sql-session-statements.ts';
import { startResponse } from './sql-start-store.ts';
import {
  appDataHasRoom,
  sessionRowBytes,
  type UsageChange,
  usageChange,
  usageStatements,
  userHasRoom,
} from './sql-stored-bytes.ts';
import {
  readResponses,
  readSnapshot,
  readSubmission,
  readUserAndApp,
  responseUnder,
  sessions,
  snapshotQuery,
  submissionQuery,
  userAndAppQuery,
} from './sql-submission-reads.ts';

const nothingUnseen: Unseen = { subscriptions: false, secretMarks: false };

/** Milliseconds for a commit. Longer than for other calls, because the app has already acted and would be called again after a failure. */
const commitDeadlineMs = 2_000;
/** Milliseconds for an expiry, which no request waits for. */
const backgroundDeadlineMs = 2_000;
/** Maximum bytes of the sessions of one page, without the last one. */
const maxListedBytes = 2_097_152;

export function createSqlSessionStore(database: Database): SessionStore {
  const { dialect } = database;
  const leases = createSqlLeaseStore(database);
  const query = ({ text, values }: Statement) => database.query(text, values);

  async function lackOfRoom(change: UsageChange, bounds: StorageBounds | undefined): Promise<NoRoom | undefined> {
    const [row] = await query(sql`SELECT CASE WHEN ${appDataHasRoom(change, bounds)} THEN 1 ELSE 0 END AS of_app,
      CASE WHEN ${userHasRoom(change, bounds)} THEN 1 ELSE 0 END AS of_user`);
    if (row === undefined || integerOf(row, 'of_app') === 0) return 'app-data-full';
    return integerOf(row, 'of_user') === 0 ? 'user-full' : undefined;
  }

  /** Runs after the reply. Deliveries that remain because the database was unavailable are dropped when they are due. */
  function dropCrowded(answers: readonly (readonly Row[])[], userId: string): void {
    for (const subscriptionId of crowdedSubscriptions(answers))
      dropPartition(database, webhookQueue, webhookPartition(userId, subscriptionId)).catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
      });
  }

  async function commitOnce(
    lease: Lease,
    transition: Transition,
    bounds: StorageBounds | undefined,
    unseen: Unseen,
  ): ReturnType<SessionStore['commit']> {
    const { session } = transition;
    const change = usageChange(transition, false);
    const done = await database.transaction(
      [
        ...usageStatements(change),
        ...transitionStatements(transition, change),
        ...consequences(database, transition, !unseen.subscriptions),
      ],
      {
        onlyIf: lastUseOf(lease, transition, { change, bounds, unseen }),
        deadlineMs: commitDeadlineMs,
        serializeOn: serializeUser(session.userId),
      },
    );
    dropCrowded(done, session.userId);
    if (done.length > 0) return 'committed';
    const latest = await query(sql`SELECT name FROM leases WHERE ${isLastUse(lease, transition)}`);
    if (latest.length === 0) return 'lost';
    if (unseen.secretMarks && (await query(secretMarkOf(session))).length > 0) return 'marked';
    // If room was freed since, the result is `lost`, and the caller tries again.
    return (await lackOfRoom(change, bounds)) ?? 'lost';
  }

  return {
    async insert(start, limits = {}) {
      const { session, response } = start;
      const change = usageChange(start, true);
      const statements = [...usageStatements(change), ...storedStart(start), ...consequences(database, start)];
      const done = await database.transaction(statements, {
        // The first statement of the transaction: a session that already exists remains unchanged.
        onlyIf: insertion(start, change, limits),
        serializeOn: serializeUser(session.userId),
      });
      dropCrowded(done, session.userId);
      if (done.length > 0) return 'started';
      const there = await query(sql`SELECT session_id FROM flow_sessions WHERE session_id = ${session.sessionId}`);
      if (there.length === 1) return 'started';
      const answer = response === undefined ? [] : await query(startResponse(session.userId, response.idempotencyKey));
      if (answer.length === 1) return 'answered';
      return (await lackOfRoom(change, limits.bounds)) ?? 'full';
    },

    async hasRoom(userId, { maxActive, userBytes }) {
      const [row] = await query(sql`SELECT CASE WHEN ${isUnder(userId, maxActive)} THEN 1 ELSE 0 END AS room,
        COALESCE((SELECT bytes FROM flow_usage WHERE user_id = ${userId}), 0) AS bytes`);
      if (row === undefined || integerOf(row, 'room') === 0) return 'full';
      return integerOf(row, 'bytes') < userBytes ? 'room' : 'user-full';
    },

    async find(userId, sessionId, idempotencyKey) {
      const [row] = await query(snapshotQuery(dialect, { userId, sessionId, idempotencyKey }));
      return row === undefined ? undefined : readSnapshot(row);
    },

    async findForSubmission(userId, sessionId, idempotencyKey) {
      const [row] = await query(submissionQuery(dialect, { userId, sessionId, idempotencyKey }));
      return row === undefined ? undefined : readSubmission(row);
    },

    async list(userId, { appId, status }, { limit, after }) {
      const ofApp = appId === undefined ? sql`` : sql`AND app_id = ${appId}`;
      const ofStatus = status === undefined ? sql`` : sql`AND status = ${status}`;
      const older = after === undefined ? sql`` : sql`AND (created_at, session_id) < (${after.atMs}, ${after.id})`;
      const rows = await query(
        boundedPage({
          table: 'flow_sessions',
          key: 'session_id',
          columns: sessions.list,
          where: sql`user_id = ${userId} ${ofApp} ${ofStatus} ${older}`,
          size: raw(sessionRowBytes),
          limit,
          maxBytes: maxListedBytes,
        }),
      );
      return readPage(rows, sessions.read, ({ sessionId }) => sessionId);
    },

    async acquire(sessionId, holder, ttlMs, idempotencyKey, seen) {
      const name = leaseName(sessionId);
      const isOther = seen === undefined ? sql`` : sql`AND state_version <> ${seen.stateVersion}`;
      const answers = await database.transaction(
        [
          acquisition(database, name, holder, ttlMs),
          sql`SELECT ${sessions.list} FROM flow_sessions WHERE session_id = ${sessionId} ${isOther}`,
          responseUnder(sessionId, idempotencyKey),
          ...(seen === undefined ? [] : [userAndAppQuery(seen), smallAppData(seen)]),
        ],
        {
          onlyIf: sql`SELECT session_id FROM flow_sessions WHERE session_id = ${sessionId} AND status = 'active'`,
          isLostWithPower: true,
          undo: [sql`UPDATE leases SET holder = NULL WHERE name = ${name} AND holder = ${holder}`],
        },
      );
      const [[lease] = [], [row] = [], responses = [], facts = [], appData = []] = answers;
      const session = row === undefined ? seen : sessions.read(row);
      if (answers.length === 0 || session === undefined) return { kind: 'over' };
      if (lease === undefined) return { kind: 'running' };
      return {
        kind: 'acquired',
        lease: { name, token: integerOf(lease, 'token') },
        snapshot: { session, isLeased: false, ...readResponses(responses) },
        ...readUserAndApp(facts, appData),
      };
    },

    renew: leases.renew,

    async release(lease) {
      const { name, token } = lease;
      await database.transaction(
        [
          releasing(lease),
          // Another request may have acquired the lease while this one ended the session.
          sql`DELETE FROM leases WHERE name = ${name} AND token = ${token} AND EXISTS (
            SELECT 1 FROM flow_sessions WHERE session_id = ${sessionIdOf(name)} AND status <> 'active')`,
        ],
        { isLostWithPower: true },
      );
    },

    async commit(lease, transition, bounds, unseen = nothingUnseen) {
      if (leaseName(transition.session.sessionId) !== lease.name) throw new Error('a lease on another session');
      const outcome = await commitOnce(lease, transition, bounds, unseen);
      // A subscription may have been created in the meantime; the transition is then committed with its deliveries.
      return outcome === 'committed' || !unseen.subscriptions
        ? outcome
        : commitOnce(lease, transition, bounds, { ...unseen, subscriptions: false });
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
