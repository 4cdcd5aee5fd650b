/** The schema of the marks of submitted secrets. */

import type { Migration } from '@flowgate/sql/engine/schema';

export const flowSecretMigration: Migration = {
  version: 8,
  name: 'flow secret marks',
  statements: [
    // mark: made under a key of the user and the app, so that two owners never have the same mark.
    `CREATE TABLE flow_secret_marks (
      mark TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      app_id TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    'CREATE INDEX flow_secret_marks_by_user ON flow_secret_marks (user_id, app_id, created_at, mark)',
  ],
};
