/** The schema of revisions. */

import type { Migration } from '../engine/schema.ts';

export const revisionsMigration: Migration = {
  version: 10,
  name: 'revisions',
  statements: [
    `CREATE TABLE revisions (
      name TEXT NOT NULL PRIMARY KEY,
      revision BIGINT NOT NULL
    )`,
  ],
};
