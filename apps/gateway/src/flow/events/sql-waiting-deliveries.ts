/** Limits the pending deliveries of a subscription: a transition whose events exceed the limit disables the subscription, and records that as an event of the session. */

import { partitionId } from '@flowgate/sql/coordination/outbox-statements';
import type { Row, Statement } from '@flowgate/sql/engine/database';
import type { Fragment } from '@flowgate/sql/engine/dialect';
import { textOf } from '@flowgate/sql/engine/row';
import { raw, sql } from '@flowgate/sql/engine/sql-text';
import type { FlowEventRecord } from './event-store.ts';
import { webhookPartition } from './webhook-partition.ts';

export type WaitingBounds = {
  /** Maximum number of pending deliveries of one subscription. */
  readonly items: number;
  /** Maximum bytes of their events' data, for one subscription. */
  readonly bytes: number;
  /** Maximum number of pending deliveries of all subscriptions of one user. One transition may exceed it. */
  readonly itemsOfUser: number;
};

/** contract/events#webhooks. */
export const waitingBounds: WaitingBounds = { items: 10_000, bytes: 67_108_864, itemsOfUser: 50_000 };

const disabledType = 'subscription_disabled';

type Owner = { readonly userId: string; readonly appId: string };

/** For the transition's transaction, before its deliveries are enqueued. `matching`: a query that returns `subscription_id` and `bytes` of each delivery. */
export function disableCrowded(
  webhookQueue: string,
  { userId, appId }: Owner,
  events: readonly FlowEventRecord[],
  matching: Fragment,
  { items, bytes, itemsOfUser }: WaitingBounds,
): Statement[] {
  const [last] = events.slice(-1);
  if (last === undefined) return [];
  const { sessionId, sequence, atMs, data } = last;
  const partitionOf = (subscription: Fragment) =>
    sql`CAST(${partitionId(webhookQueue, webhookPartition(userId, ''))} AS TEXT) || ${subscription}`;
  const ofUser = sql`COALESCE((SELECT SUM(waiting.items) FROM flow_subscriptions AS own
    JOIN outbox_lanes AS waiting ON waiting.id = ${partitionOf(sql`own.subscription_id`)} WHERE own.user_id = ${userId}), 0)`;
  const reason = `Too many deliveries were pending: at most ${items} deliveries or ${bytes} bytes for a subscription, and ${itemsOfUser} deliveries for all subscriptions of a user.`;
  const { appId: app, version, stateVersion } = data;
  const head = JSON.stringify({ reason, sessionId, appId: app, version, stateVersion, subscriptionId: '' }).slice(
    0,
    -2,
  );
  const disabledHere = sql`flow_subscriptions WHERE user_id = ${userId} AND app_id = ${appId} AND disabled_in = ${sessionId}
    AND NOT EXISTS (SELECT 1 FROM flow_events WHERE flow_events.id = 'evt_' || substr(subscription_id, 5))`;
  const newest = sql`flow_events WHERE session_id = ${sessionId} AND sequence > ${sequence}`;
  const newestBytes = sql`(SELECT SUM(octet_length(data)) FROM ${newest})`;
  return [
    sql`UPDATE flow_subscriptions SET status = 'disabled', disabled_reason = ${reason}, disabled_at = ${atMs}, disabled_in = ${sessionId}
      WHERE status = 'active' AND subscription_id IN (
        SELECT new.subscription_id FROM (${matching}) AS new LEFT JOIN outbox_lanes AS waiting ON waiting.id = ${partitionOf(sql`new.subscription_id`)}
        GROUP BY new.subscription_id, waiting.items, waiting.bytes
        HAVING COALESCE(waiting.items, 0) + COUNT(*) > ${items} OR COALESCE(waiting.bytes, 0) + SUM(new.bytes) > ${bytes}
          OR ${ofUser} + COUNT(*) > ${itemsOfUser})
      RETURNING subscription_id AS crowded_subscription`,
    // A subscription is disabled once, so the id of its event is derived from its own.
    sql`INSERT INTO flow_events (id, session_id, sequence, type, at, data)
      SELECT 'evt_' || substr(subscription_id, 5), CAST(${sessionId} AS TEXT),
        CAST(${sequence} AS BIGINT) + ROW_NUMBER() OVER (ORDER BY subscription_id), ${raw(`'${disabledType}'`)},
        CAST(${atMs} AS BIGINT), CAST(${head} AS TEXT) || subscription_id || '"}'
      FROM ${disabledHere}`,
    sql`UPDATE flow_usage SET bytes = bytes + ${newestBytes} WHERE user_id = ${userId} AND EXISTS (SELECT 1 FROM ${newest})`,
    sql`UPDATE flow_sessions SET kept_bytes = kept_bytes + ${newestBytes}, last_sequence = (SELECT MAX(sequence) FROM ${newest})
      WHERE session_id = ${sessionId} AND EXISTS (SELECT 1 FROM ${newest})`,
  ];
}

/** The subscriptions that a transaction with these results has disabled. */
export function crowdedSubscriptions(answers: readonly (readonly Row[])[]): readonly string[] {
  return answers.flatMap((rows) =>
    rows.flatMap((row) => ('crowded_subscription' in row ? [textOf(row, 'crowded_subscription')] : [])),
  );
}
