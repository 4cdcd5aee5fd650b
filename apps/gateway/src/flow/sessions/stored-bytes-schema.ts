/** The schema of the counters of each user's bytes: of sessions and of app data. */

import type { Migration } from '@flowgate/sql/engine/schema';

const sessionBytes = 'octet_length(step) + octet_length(state) + COALESCE(octet_length(launch_context), 0)';
const appDataBytes = 'octet_length(name) + octet_length(value) + 4';
const ofSession = (table: string, bytes: string) =>
  `COALESCE((SELECT SUM(${bytes}) FROM ${table} WHERE ${table}.session_id = flow_sessions.session_id), 0)`;

/** Counts existing rows once, by their lengths: no text is read. */
export const flowUsageMigration: Migration = {
  version: 6,
  name: 'flow usage',
  statements: [
    // Bytes of a user's sessions, with responses and events, and of app data.
    `CREATE TABLE flow_usage (
      user_id TEXT NOT NULL PRIMARY KEY,
      bytes BIGINT NOT NULL
    )`,
    'CREATE INDEX flow_usage_by_bytes ON flow_usage (bytes)',
    // id: app_id, a space, user_id.
    `CREATE TABLE flow_app_data_usage (
      id TEXT NOT NULL PRIMARY KEY,
      bytes BIGINT NOT NULL,
      names BIGINT NOT NULL
    )`,
    'ALTER TABLE flow_sessions ADD COLUMN kept_bytes BIGINT NOT NULL DEFAULT 0',
    `UPDATE flow_sessions SET kept_bytes = ${sessionBytes}
      + ${ofSession('flow_responses', 'octet_length(body) + octet_length(headers)')}
      + ${ofSession('flow_events', 'octet_length(data)')}`,
    `INSERT INTO flow_app_data_usage (id, bytes, names)
      SELECT app_id || ' ' || user_id, SUM(${appDataBytes}), COUNT(*) FROM flow_app_data GROUP BY user_id, app_id`,
    `INSERT INTO flow_usage (user_id, bytes) SELECT user_id, SUM(bytes) FROM (
        SELECT user_id, kept_bytes AS bytes FROM flow_sessions
        UNION ALL SELECT user_id, ${appDataBytes} AS bytes FROM flow_app_data
      ) AS kept GROUP BY user_id`,
  ],
};
