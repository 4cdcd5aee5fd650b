/** Subscriptions in SQL. `flow/events/subscription-store.ts` states the guarantees. */

import { Unavailable } from '@flowgate/base/unavailable';
import { dropPartition } from '@flowgate/sql/coordination/outbox-statements';
import type { Database } from '@flowgate/sql/engine/database';
import { pageOf } from '@flowgate/sql/engine/page-rows';
import { sql } from '@flowgate/sql/engine/sql-text';
import { selectionWithout } from '@flowgate/sql/engine/table';
import { webhookQueue } from './sql-event-store.ts';
import { serializeUser } from './sql-serialize-user.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import { subscriptionsTable } from './subscription-table.ts';
import { webhookPartition } from './webhook-partition.ts';

/** Milliseconds to disable a subscription, which no request waits for. */
const backgroundDeadlineMs = 2_000;

const subscriptions = selectionWithout(subscriptionsTable, 'disabledIn');

export function createSqlSubscriptionStore(database: Database): SubscriptionStore {
  /**
   * Drops pending deliveries in small batches, so that no request waits behind a day's deliveries. Those that remain because the database was unavailable are dropped when they are due,
   * since the subscription no longer exists.
   */
  const dropWaiting = async (userId: string, subscriptionId: string) => {
    try {
      await dropPartition(database, webhookQueue, webhookPartition(userId, subscriptionId));
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  };
  return {
    async insertIfUnder(record, limit, ofUser = Number.MAX_SAFE_INTEGER) {
      const { subscriptionId, userId, appId } = record;
      const insert = sql`INSERT INTO flow_subscriptions (${subscriptions.list})
        SELECT ${subscriptions.typedValues(record)}
        WHERE (SELECT COUNT(*) FROM flow_subscriptions WHERE user_id = ${userId} AND app_id = ${appId}) < ${limit}
          AND (SELECT COUNT(*) FROM flow_subscriptions WHERE user_id = ${userId}) < ${ofUser}
        RETURNING subscription_id`;
      const [inserted = []] = await database.transaction([insert], {
        serializeOn: serializeUser(userId),
        undo: [sql`DELETE FROM flow_subscriptions WHERE subscription_id = ${subscriptionId}`],
      });
      return inserted.length === 1;
    },

    async list(userId, appId, { limit, after }) {
      const older = after === undefined ? sql`` : sql`AND (created_at, subscription_id) < (${after.atMs}, ${after.id})`;
      // A further row means that there is a next page.
      const { text, values } = sql`SELECT ${subscriptions.list} FROM flow_subscriptions
        WHERE user_id = ${userId} AND app_id = ${appId} ${older}
        ORDER BY created_at DESC, subscription_id DESC LIMIT ${limit + 1}`;
      const rows = await database.query(text, values);
      return pageOf(rows.map(subscriptions.read), limit, ({ subscriptionId }) => subscriptionId);
    },

    async find(subscriptionId) {
      const { text, values } =
        sql`SELECT ${subscriptions.list} FROM flow_subscriptions WHERE subscription_id = ${subscriptionId}`;
      const [row] = await database.query(text, values);
      return row === undefined ? undefined : subscriptions.read(row);
    },

    async remove(userId, appId, subscriptionId) {
      const removed = sql`DELETE FROM flow_subscriptions
        WHERE subscription_id = ${subscriptionId} AND user_id = ${userId} AND app_id = ${appId}
        RETURNING subscription_id`;
      const [rows = []] = await database.transaction([removed], { serializeOn: serializeUser(userId) });
      if (rows.length > 0) await dropWaiting(userId, subscriptionId);
      return rows.length > 0;
    },

    async disable({ userId, subscriptionId }, reason) {
      await database.transaction(
        [
          sql`UPDATE flow_subscriptions SET status = 'disabled', disabled_reason = ${reason}, disabled_at = ${database.dialect.now()}
          WHERE subscription_id = ${subscriptionId} AND status = 'active'`,
        ],
        { deadlineMs: backgroundDeadlineMs, serializeOn: serializeUser(userId) },
      );
      await dropWaiting(userId, subscriptionId);
    },
  };
}
