/** The schema of the counters of pending deliveries, and of the reason why a subscription was disabled. */

import type { Migration } from '@flowgate/sql/engine/schema';

export const flowWaitingMigration: Migration = {
  version: 7,
  name: 'waiting deliveries',
  statements: [
    'ALTER TABLE outbox ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0',
    // id: queue, a colon, lane.
    `CREATE TABLE outbox_lanes (
      id TEXT NOT NULL PRIMARY KEY,
      items BIGINT NOT NULL,
      bytes BIGINT NOT NULL
    )`,
    `UPDATE outbox SET bytes = COALESCE((SELECT octet_length(data) FROM flow_events WHERE flow_events.id = outbox.payload), 0)
      WHERE queue = 'flow webhooks'`,
    `INSERT INTO outbox_lanes (id, items, bytes)
      SELECT queue || ':' || lane, COUNT(*), SUM(bytes) FROM outbox WHERE lane IS NOT NULL GROUP BY queue, lane`,
    'ALTER TABLE flow_subscriptions ADD COLUMN disabled_at BIGINT',
    'ALTER TABLE flow_subscriptions ADD COLUMN disabled_in TEXT',
  ],
};
