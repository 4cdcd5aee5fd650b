/** Subscriptions in SQL. The guarantees are `flow/events/subscription-store.ts`'. */

import type { SubscriptionRecord, SubscriptionStore } from '../../../flow/events/subscription-store.ts';
import { lanePrefix } from '../../../platform/coordination/owned-lane.ts';
import { Unavailable } from '../../../platform/unavailable.ts';
import { dropPartition } from '../coordination/outbox-store.ts';
import type { Database, Row } from '../engine/database.ts';
import { pageOf } from '../engine/page-rows.ts';
import { integerOf, optionalInteger, textOf } from '../engine/row.ts';
import { raw, sql } from '../engine/sql-text.ts';
import { webhookQueue } from './flow-event-store.ts';

/** Nobody waits for an endpoint that is given up. */
const backgroundDeadlineMs = 2_000;

const columns = raw(
  'subscription_id, user_id, app_id, event_type, target_url, sealed_secret, status, disabled_reason, disabled_at, created_at',
);

export function createSqlSubscriptionStore(database: Database): SubscriptionStore {
  /** Little by little, so that no request waits behind a day's deliveries. What remains because the database was unavailable is dropped when it is due: then nobody is subscribed. */
  const dropWaiting = async (userId: string, subscriptionId: string) => {
    try {
      await dropPartition(database, webhookQueue, lanePrefix(userId) + subscriptionId);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  };
  return {
    async insertIfUnder(record, limit, ofUser = Number.MAX_SAFE_INTEGER) {
      const { subscriptionId, userId, appId } = record;
      const insert = sql`INSERT INTO flow_subscriptions (${columns})
        SELECT CAST(${subscriptionId} AS TEXT), CAST(${userId} AS TEXT), CAST(${appId} AS TEXT),
          CAST(${record.eventType} AS TEXT), CAST(${record.targetUrl} AS TEXT), CAST(${record.sealedSecret} AS TEXT),
          CAST(${record.status} AS TEXT), CAST(${record.disabledReason ?? null} AS TEXT),
          CAST(${record.disabledAtMs ?? null} AS BIGINT), CAST(${record.createdAtMs} AS BIGINT)
        WHERE (SELECT COUNT(*) FROM flow_subscriptions WHERE user_id = ${userId} AND app_id = ${appId}) < ${limit}
          AND (SELECT COUNT(*) FROM flow_subscriptions WHERE user_id = ${userId}) < ${ofUser}
        RETURNING subscription_id`;
      const [inserted = []] = await database.transaction([insert], {
        serialiseOn: `flow subscriptions of ${userId}`,
        undo: sql`DELETE FROM flow_subscriptions WHERE subscription_id = ${subscriptionId}`,
      });
      return inserted.length === 1;
    },

    async list(userId, appId, { limit, after }) {
      const older = after === undefined ? sql`` : sql`AND (created_at, subscription_id) < (${after.atMs}, ${after.id})`;
      // One more than asked for tells whether there is a next page.
      const { text, values } = sql`SELECT ${columns} FROM flow_subscriptions
        WHERE user_id = ${userId} AND app_id = ${appId} ${older}
        ORDER BY created_at DESC, subscription_id DESC LIMIT ${limit + 1}`;
      const rows = await database.query(text, values);
      return pageOf(rows.map(recordOf), limit, ({ subscriptionId }) => subscriptionId);
    },

    async find(subscriptionId) {
      const { text, values } = sql`SELECT ${columns} FROM flow_subscriptions WHERE subscription_id = ${subscriptionId}`;
      const [row] = await database.query(text, values);
      return row === undefined ? undefined : recordOf(row);
    },

    async remove(userId, appId, subscriptionId) {
      const removed = sql`DELETE FROM flow_subscriptions
        WHERE subscription_id = ${subscriptionId} AND user_id = ${userId} AND app_id = ${appId}
        RETURNING subscription_id`;
      const [rows = []] = await database.transaction([removed]);
      if (rows.length > 0) await dropWaiting(userId, subscriptionId);
      return rows.length > 0;
    },

    async disable({ userId, subscriptionId }, reason) {
      await database.transaction(
        [
          sql`UPDATE flow_subscriptions SET status = 'disabled', disabled_reason = ${reason}, disabled_at = ${database.dialect.now()}
          WHERE subscription_id = ${subscriptionId} AND status = 'active'`,
        ],
        { deadlineMs: backgroundDeadlineMs },
      );
      await dropWaiting(userId, subscriptionId);
    },
  };
}

function recordOf(row: Row): SubscriptionRecord {
  return {
    subscriptionId: textOf(row, 'subscription_id'),
    userId: textOf(row, 'user_id'),
    appId: textOf(row, 'app_id'),
    eventType: textOf(row, 'event_type'),
    targetUrl: textOf(row, 'target_url'),
    sealedSecret: textOf(row, 'sealed_secret'),
    status: textOf(row, 'status') === 'active' ? 'active' : 'disabled',
    ...(row['disabled_reason'] === null ? {} : { disabledReason: textOf(row, 'disabled_reason') }),
    ...optionalInteger(row, 'disabled_at', 'disabledAtMs'),
    createdAtMs: integerOf(row, 'created_at'),
  };
}
