/** The statements of a session's start and of its transitions. Each combines one condition with one change. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { Database, Statement } from '@flowgate/sql/engine/database';
import { raw, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import { eventInsertion, eventStatements, subscriptionOf } from '../events/sql-event-store.ts';
import { secretMarkOf } from '../secrets/sql-secret-mark-store.ts';
import type { StartLimits, StorageBounds, Transition, Unseen } from './session-store.ts';
import { responsesTable, sessionsTable } from './session-tables.ts';
import { appDataStatements } from './sql-app-data.ts';
import { startResponse, startResponseId } from './sql-start-store.ts';
import { appDataHasRoom, sessionRowBytes, type UsageChange, userHasRoom } from './sql-stored-bytes.ts';

const sessions = selection(sessionsTable);
const responses = selection(responsesTable);

export const leasePrefix = 'flow session ';

export function leaseName(sessionId: string): string {
  return `${leasePrefix}${sessionId}`;
}

export function sessionIdOf(leaseName: string): string {
  return leaseName.slice(leasePrefix.length);
}

/** Unique, because idempotency keys are printable ASCII and session ids contain no colon. */
export function responseId(sessionId: string, idempotencyKey: string): string {
  return `${sessionId}:${idempotencyKey}`;
}

/** Returns no row if the session already exists, its key has a response, or its user has too many active sessions or too much stored data. */
export function insertion(
  { session, response }: Transition,
  change: UsageChange,
  { maxActive, bounds }: StartLimits,
): Statement {
  const isFresh =
    response === undefined ? sql`1 = 1` : sql`NOT EXISTS (${startResponse(session.userId, response.idempotencyKey)})`;
  return sql`INSERT INTO flow_sessions (${sessions.list})
    SELECT ${sessions.typedValues({ ...session, storedBytes: change.sessionBytes })}
    WHERE ${isFresh} AND ${appDataHasRoom(change, bounds)} AND ${userHasRoom(change, bounds)}
      AND ${maxActive === undefined ? sql`1 = 1` : isUnder(session.userId, maxActive)}
    ON CONFLICT (session_id) DO NOTHING RETURNING session_id`;
}

/** A condition. It counts in an index, and only up to the limit. */
export function isUnder(userId: string, maxActive: number): Statement {
  return sql`(SELECT COUNT(*) FROM (
    SELECT 1 FROM flow_sessions WHERE user_id = ${userId} AND status = 'active' LIMIT ${maxActive}) AS active) < ${maxActive}`;
}

/** Replaces the remains of a removed session under the same key. */
export function storedStart({ session, response }: Transition): Statement[] {
  if (response === undefined) return [];
  const { userId, sessionId, createdAtMs } = session;
  const { idempotencyKey, body, headers } = response;
  const record = { id: startResponseId(userId, idempotencyKey), sessionId, body, headers, createdAtMs };
  return [
    sql`INSERT INTO flow_responses (${responses.list}) VALUES (${responses.values(record)})
      ON CONFLICT (id) DO UPDATE SET session_id = excluded.session_id, body = excluded.body, headers = excluded.headers, created_at = excluded.created_at`,
  ];
}

/**
 * Checks the fencing token and ends the lease in one statement, if the limits allow the change. A transaction that has locked the lease's row waits for no further lock. Every
 * change of a session uses this statement, so the session cannot change between this check and the end of the transaction. The lease of a session that ends is removed. Even if
 * its first token is issued again, the fence still refuses, because the session has ended.
 */
export function lastUseOf(
  lease: Lease,
  transition: Transition,
  { change, bounds, unseen }: { change: UsageChange; bounds: StorageBounds | undefined; unseen: Unseen },
): Statement {
  const { session } = transition;
  const { subscriptions, secretMarks } = unseen;
  const none = (query: Statement) => sql`AND NOT EXISTS (${query})`;
  const unsubscribed = subscriptions ? none(subscriptionOf(session)) : sql``;
  const unmarked = secretMarks ? none(secretMarkOf(session)) : sql``;
  const end = session.status === 'active' ? sql`UPDATE leases SET holder = NULL` : sql`DELETE FROM leases`;
  return sql`${end} WHERE ${isLastUse(lease, transition)} AND ${appDataHasRoom(change, bounds)} AND ${userHasRoom(change, bounds)}
    ${unsubscribed} ${unmarked} RETURNING name`;
}

/** A condition on `leases`. */
export function isLastUse({ name, token }: Lease, { session }: Transition): Statement {
  return sql`name = ${name} AND token = ${token} AND holder IS NOT NULL AND EXISTS (
    SELECT 1 FROM flow_sessions WHERE session_id = ${session.sessionId} AND status = 'active' AND state_version = ${session.stateVersion - 1})`;
}

/** The session after the transition, and the response of its submission. */
export function transitionStatements({ session, response }: Transition, { sessionBytes }: UsageChange): Statement[] {
  const { sessionId, status, stateVersion, updatedAtMs } = session;
  const update = sql`UPDATE flow_sessions SET status = ${status}, state_version = ${stateVersion}, step = ${JSON.stringify(session.step)},
      state = ${JSON.stringify(session.state)}, last_sequence = ${session.lastSequence}, updated_at = ${updatedAtMs},
      kept_bytes = kept_bytes + ${sessionBytes} - (${raw(sessionRowBytes)}),
      expires_at = ${session.expiresAtMs} ${status === 'active' ? sql`` : sql`, launch_context = NULL`}
    WHERE session_id = ${sessionId}`;
  if (response === undefined) return [update];
  const { idempotencyKey, body, headers } = response;
  const record = { id: responseId(sessionId, idempotencyKey), sessionId, body, headers, createdAtMs: updatedAtMs };
  return [update, sql`INSERT INTO flow_responses (${responses.list}) VALUES (${responses.values(record)})`];
}

/** Writes app data, events, and their deliveries unless there is no subscription. */
export function consequences(
  database: Database,
  { session, appData, events }: Omit<Transition, 'response'>,
  isSubscribed = true,
): Statement[] {
  const reported = isSubscribed
    ? eventStatements(database, session, events)
    : events.length === 0
      ? []
      : [eventInsertion(events)];
  return [...appDataStatements(session, appData), ...reported];
}
