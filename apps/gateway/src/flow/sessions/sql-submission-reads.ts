/** The reads of a submission, one query each: before it has the session's lease, and with the lease. */

import type { Row, Statement } from '@flowgate/sql/engine/database';
import type { Dialect } from '@flowgate/sql/engine/dialect';
import { integerOf } from '@flowgate/sql/engine/row';
import { raw, sql } from '@flowgate/sql/engine/sql-text';
import { selection, selectionWithout } from '@flowgate/sql/engine/table';
import { subscriptionOf } from '../events/sql-event-store.ts';
import { appsTable, versionsTable } from '../registry/registry-tables.ts';
import { secretMarkOf } from '../secrets/sql-secret-mark-store.ts';
import type { SessionSnapshot, StoredResponse, SubmissionSnapshot, UserAndApp } from './session-store.ts';
import { responsesTable, sessionsTable } from './session-tables.ts';
import { readSmallAppData } from './sql-app-data.ts';
import { leaseName, responseId } from './sql-session-statements.ts';

export const sessions = selectionWithout(sessionsTable, 'storedBytes');
const storedResponse = selection(responsesTable, 'body', 'headers');
const appParts = selection(appsTable, 'subjectSalt', 'ownerId', 'visibility');
const versionParts = selection(versionsTable, 'manifest', 'sealedSecret');

type Asked = { readonly userId: string; readonly sessionId: string; readonly idempotencyKey: string | undefined };

/** The response that is stored under the key; none without a key. */
export function responseUnder(sessionId: string, idempotencyKey: string | undefined): Statement {
  return sql`SELECT ${storedResponse.list} FROM flow_responses WHERE id = ${storedUnder(sessionId, idempotencyKey)}`;
}

export function readResponses([row]: readonly Row[]): { readonly response?: StoredResponse } {
  return row === undefined ? {} : { response: storedResponse.read(row) };
}

export function snapshotQuery(dialect: Dialect, asked: Asked): Statement {
  return snapshot(dialect, asked, raw(''), raw(''));
}

/** Also reads the version and the app. A session whose version has build metadata is rare, and this query finds no version for it. */
export function submissionQuery(dialect: Dialect, asked: Asked): Statement {
  return snapshot(
    dialect,
    asked,
    sql`, ${versionParts.of('version')}, version.status AS version_status, ${appParts.of('app')}`,
    // A replay needs no manifest, which may have 256 KiB.
    sql`LEFT JOIN flow_versions AS version ON response.id IS NULL AND version.id = session.app_id || '@' || session.version
      LEFT JOIN flow_apps AS app ON app.app_id = session.app_id`,
  );
}

function snapshot(
  dialect: Dialect,
  { userId, sessionId, idempotencyKey }: Asked,
  columns: Statement,
  joined: Statement,
): Statement {
  return sql`SELECT ${sessions.of('session')}, ${storedResponse.of('response')},
      CASE WHEN lease.holder IS NOT NULL AND lease.expires_at > ${dialect.now()} THEN 1 ELSE 0 END AS leased ${columns}
    FROM flow_sessions AS session
    LEFT JOIN flow_responses AS response ON response.id = ${storedUnder(sessionId, idempotencyKey)}
    LEFT JOIN leases AS lease ON lease.name = ${leaseName(sessionId)} ${joined}
    WHERE session.session_id = ${sessionId} AND session.user_id = ${userId}`;
}

export function readSnapshot(row: Row): SessionSnapshot {
  const snapshot = { session: sessions.read(row), isLeased: integerOf(row, 'leased') === 1 };
  return row['body'] === null ? snapshot : { ...snapshot, response: storedResponse.read(row) };
}

export function readSubmission(row: Row): SubmissionSnapshot {
  const snapshot = readSnapshot(row);
  const { appId, version } = snapshot.session;
  const status = row['version_status'] === 'active' ? 'active' : 'retired';
  return {
    ...snapshot,
    ...(row['subject_salt'] === null ? {} : { app: appParts.read(row) }),
    ...(row['manifest'] === null ? {} : { version: { appId, version, status, ...versionParts.read(row) } }),
  };
}

type Owner = { readonly userId: string; readonly appId: string };

/** A query that returns one row. */
export function userAndAppQuery(owner: Owner): Statement {
  return sql`SELECT CASE WHEN EXISTS (${secretMarkOf(owner)}) THEN 1 ELSE 0 END AS marked,
    CASE WHEN EXISTS (${subscriptionOf(owner)}) THEN 1 ELSE 0 END AS subscribed`;
}

/** `appData`: the rows of `smallAppData`. */
export function readUserAndApp([row]: readonly Row[], appData: readonly Row[]): { readonly userAndApp?: UserAndApp } {
  if (row === undefined) return {};
  const small = readSmallAppData(appData);
  return {
    userAndApp: {
      ...(small === undefined ? {} : { appData: small }),
      hasSecretMarks: integerOf(row, 'marked') === 1,
      hasSubscriptions: integerOf(row, 'subscribed') === 1,
    },
  };
}

function storedUnder(sessionId: string, idempotencyKey: string | undefined): string | null {
  return idempotencyKey === undefined ? null : responseId(sessionId, idempotencyKey);
}
