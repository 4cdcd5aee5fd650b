/** Events of sessions in SQL, and the statements by which a transition writes them together with their deliveries. `flow/events/event-store.ts` states the guarantees. */

import { isoTime } from '@flowgate/base/iso-time';
import { enqueueEach } from '@flowgate/sql/coordination/outbox-statements';
import type { Database, Row, Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { integerOf, textOf } from '@flowgate/sql/engine/row';
import { list, sql } from '@flowgate/sql/engine/sql-text';
import { selection } from '@flowgate/sql/engine/table';
import type { EventStore, FlowEventRecord } from './event-store.ts';
import { eventsTable } from './event-table.ts';
import { disableCrowded, type WaitingBounds, waitingBounds } from './sql-waiting-deliveries.ts';
import { webhookOwner, webhookPartition } from './webhook-partition.ts';

const columns = selection(eventsTable);

/** Equals `webhookQueue` of `flow/events/event-store.ts`, from which only types may be imported; a test compares both. */
export const webhookQueue = 'flow webhooks';

type Owner = { readonly userId: string; readonly appId: string };

const sessionsPerQuery = 200;
/** Maximum bytes of the data of one read's events, without the last event. */
const maxReadBytes = 1_048_576;
/** Milliseconds for reads that no request waits for. */
const backgroundDeadlineMs = 2_000;

export function createSqlEventStore(database: Database): EventStore {
  return {
    async eventsAfter(sessionId, after, limit) {
      // The database knows lengths without reading the texts, so it never reads texts beyond the limit.
      const { text, values } = sql`WITH sized AS (
          SELECT sequence, octet_length(data) AS size FROM flow_events
          WHERE session_id = ${sessionId} AND sequence > ${after} ORDER BY sequence LIMIT ${limit + 1}
        ), placed AS (SELECT sequence, SUM(size) OVER (ORDER BY sequence) - size AS before FROM sized)
        SELECT ${columns.of('event')},
          (SELECT COUNT(*) FROM sized) AS there
        FROM placed JOIN flow_events AS event ON event.session_id = ${sessionId} AND event.sequence = placed.sequence
        WHERE placed.before <= ${maxReadBytes} ORDER BY event.sequence LIMIT ${limit}`;
      const rows = await database.query(text, values);
      const [first] = rows;
      return {
        events: rows.map(columns.read),
        hasMore: first !== undefined && integerOf(first, 'there') > rows.length,
      };
    },

    async webhookBody(eventId) {
      const { text, values } = sql`SELECT id, type, at, data FROM flow_events WHERE id = ${eventId}`;
      const [row] = await database.query(text, values, { deadlineMs: backgroundDeadlineMs });
      return row === undefined ? undefined : webhookBodyOf(row);
    },

    async lastSequences(sessionIds) {
      const found = new Map<string, number>();
      for (let at = 0; at < sessionIds.length; at += sessionsPerQuery) {
        const asked = sessionIds.slice(at, at + sessionsPerQuery).map((id) => sql`(CAST(${id} AS TEXT))`);
        const { text, values } = sql`SELECT asked.column1 AS session_id,
            (SELECT MAX(sequence) FROM flow_events WHERE session_id = asked.column1) AS sequence
          FROM (VALUES ${list(asked)}) AS asked`;
        const rows = await database.query(text, values, { deadlineMs: backgroundDeadlineMs });
        for (const row of rows)
          if (row['sequence'] !== null) found.set(textOf(row, 'session_id'), integerOf(row, 'sequence'));
      }
      return found;
    },
  };
}

/**
 * Inserts the events, and one delivery of each to every active subscription of the session's user and app to its type (contract/events). Belongs to the transaction that makes
 * the change. Existing rows remain unchanged; a delivery that was completed in between is enqueued again.
 */
export function eventStatements(
  database: Database,
  session: Owner,
  events: readonly FlowEventRecord[],
  bounds: WaitingBounds = waitingBounds,
): Statement[] {
  if (events.length === 0) return [];
  return [eventInsertion(events), ...deliveryStatements(database, session, events, bounds)];
}

/** Inserts only the events, for a transaction that ensures that there is no subscription. */
export function eventInsertion(events: readonly FlowEventRecord[]): Statement {
  return sql`INSERT INTO flow_events (${columns.list}) VALUES ${list(events.map((event) => sql`(${columns.values(event)})`))}
    ON CONFLICT (id) DO NOTHING`;
}

/** A query that returns a row if the user has, or had, a subscription to the app. */
export function subscriptionOf({ userId, appId }: Owner): Statement {
  return sql`SELECT 1 AS there FROM flow_subscriptions WHERE user_id = ${userId} AND app_id = ${appId} LIMIT 1`;
}

function deliveryStatements(
  database: Database,
  session: Owner,
  events: readonly FlowEventRecord[],
  bounds: WaitingBounds,
): Statement[] {
  // Without the data: for one event and twenty subscriptions, twenty copies would be written while a caller waits.
  const keys = events.map(
    (event) => sql`(CAST(${event.type} AS TEXT), CAST(${deliveryKey(event)} AS TEXT), CAST(${event.eventId} AS TEXT),
      CAST(${Buffer.byteLength(JSON.stringify(event.data))} AS BIGINT))`,
  );
  const matching = (columns: Fragment) => sql`SELECT ${columns}
    FROM (VALUES ${list(keys)}) AS event
    JOIN flow_subscriptions AS subscription ON subscription.event_type = event.column1
    WHERE subscription.user_id = ${session.userId} AND subscription.app_id = ${session.appId}
      AND subscription.status = 'active'`;
  const deliveries = matching(sql`event.column2 || subscription.subscription_id AS id,
    CAST(${webhookOwner(session.userId)} AS TEXT) AS owner,
    CAST(${webhookPartition(session.userId, '')} AS TEXT) || subscription.subscription_id AS lane,
    event.column3 AS payload, event.column4 AS bytes`);
  const waiting = matching(sql`subscription.subscription_id, event.column4 AS bytes`);
  const idleUnless = subscriptionOf(session);
  const forSubscribers = [
    ...disableCrowded(webhookQueue, session, events, waiting, bounds),
    ...enqueueEach(database, webhookQueue, deliveries),
  ];
  return forSubscribers.map((statement) => ({ ...statement, idleUnless }));
}

/** Items of one transaction are delivered in the order of their ids, so the ids follow the order of the events. */
function deliveryKey({ sessionId, sequence }: FlowEventRecord): string {
  return `${sessionId}:${String(sequence).padStart(16, '0')}:`;
}

/** Inserts the stored data as text without parsing it, because it may have 1 MiB. */
function webhookBodyOf(row: Row): string {
  const head = JSON.stringify({
    id: textOf(row, 'id'),
    type: textOf(row, 'type'),
    timestamp: isoTime(integerOf(row, 'at')),
  });
  return `${head.slice(0, -1)},"data":${textOf(row, 'data')}}`;
}
