/** The schema of usage. */

import type { Migration } from '@flowgate/sql/engine/schema';

const bins = Array.from({ length: 40 }, (_, bin) => `bin_${String(bin).padStart(2, '0')} BIGINT`).join(', ');

const points = (name: string, more: string) => `CREATE TABLE ${name} (
      point_id TEXT NOT NULL PRIMARY KEY,
      series_id TEXT NOT NULL,
      at BIGINT NOT NULL,
      requests BIGINT NOT NULL,
      ${bins}${more}
    )`;
const rolled = ', rolled BIGINT NOT NULL';

/** For answers about one user; for answers about all users, a part of them at a time; and for old rows. */
const indexes = (name: string) => [
  `CREATE INDEX ${name}_by_series ON ${name} (series_id, at)`,
  `CREATE INDEX ${name}_by_time ON ${name} (at, series_id)`,
];
/** Points that are not yet part of the level above: mostly some minutes or hours. */
const pending = (name: string) => `CREATE INDEX ${name}_pending ON ${name} (series_id, at) WHERE rolled = 0`;

export const usageMigration: Migration = {
  version: 18,
  name: 'usage',
  statements: [
    `CREATE TABLE usage_series (
      series_id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      surface TEXT NOT NULL,
      network TEXT NOT NULL,
      app TEXT NOT NULL,
      method TEXT NOT NULL,
      outcome TEXT NOT NULL,
      seen_at BIGINT NOT NULL
    )`,
    'CREATE INDEX usage_series_by_user ON usage_series (user_id)',
    'CREATE INDEX usage_series_by_time ON usage_series (seen_at)',
    points('usage_minutes', rolled),
    ...indexes('usage_minutes'),
    pending('usage_minutes'),
    points('usage_hours', rolled),
    ...indexes('usage_hours'),
    pending('usage_hours'),
    points('usage_days', ''),
    ...indexes('usage_days'),
  ],
};

/** Finds a part of one user's series without reading the others. */
export const usageSeriesMigration: Migration = {
  version: 19,
  name: 'usage series in order',
  statements: [
    'DROP INDEX usage_series_by_user',
    'CREATE INDEX usage_series_by_user_and_id ON usage_series (user_id, series_id)',
  ],
};
