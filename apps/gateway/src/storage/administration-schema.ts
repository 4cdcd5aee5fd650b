/** The schema of administration: maintenance, and the limits of single users. */

import type { Migration } from '@flowgate/sql/engine/schema';

export const administrationMigration: Migration = {
  version: 16,
  name: 'administration',
  statements: [
    'CREATE TABLE maintenance (id TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)',
    `CREATE TABLE user_limits (
      user_id TEXT NOT NULL PRIMARY KEY,
      user_per_minute BIGINT,
      session_per_minute BIGINT,
      max_active_keys BIGINT,
      nodes BIGINT,
      updated_at BIGINT NOT NULL
    )`,
  ],
};
