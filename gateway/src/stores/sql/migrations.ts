/** The schema's history: numbered steps in SQL that every engine understands, applied once each, in order, and never edited afterwards. */

import { flowMigration, flowTables } from './flow/flow-schema.ts';
import { flowSecretMigration, flowSecretTables } from './flow/flow-secret-schema.ts';
import { flowUsageMigration, flowUsageTables } from './flow/flow-usage-schema.ts';
import { flowWaitingMigration } from './flow/flow-waiting-schema.ts';

export type Migration = { readonly version: number; readonly name: string; readonly statements: readonly string[] };

export type AppliedMigration = { readonly version: number; readonly checksum: string };

export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'api keys',
    statements: [
      `CREATE TABLE api_keys (
        key_id TEXT NOT NULL PRIMARY KEY,
        owner_id TEXT NOT NULL,
        label TEXT NOT NULL,
        scopes TEXT NOT NULL,
        digest TEXT NOT NULL,
        pepper_version TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        expires_at BIGINT,
        last_used_at BIGINT,
        revoked_at BIGINT
      )`,
      'CREATE INDEX api_keys_by_owner ON api_keys (owner_id, created_at, key_id)',
    ],
  },
  {
    version: 2,
    name: 'claims',
    statements: [
      'CREATE INDEX api_keys_by_revocation ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL',
      `CREATE TABLE leases (
        name TEXT NOT NULL PRIMARY KEY,
        holder TEXT,
        token BIGINT NOT NULL,
        expires_at BIGINT NOT NULL
      )`,
      `CREATE TABLE outbox (
        id TEXT NOT NULL PRIMARY KEY,
        queue TEXT NOT NULL,
        lane TEXT,
        payload TEXT NOT NULL,
        enqueued_at BIGINT NOT NULL,
        due_at BIGINT NOT NULL,
        claim BIGINT NOT NULL,
        claimed_until BIGINT
      )`,
      'CREATE INDEX outbox_by_due ON outbox (queue, due_at)',
      'CREATE INDEX outbox_by_lane ON outbox (queue, lane, enqueued_at, id) WHERE lane IS NOT NULL',
    ],
  },
  flowMigration,
  {
    version: 4,
    name: 'lanes with a claim',
    // Which lanes of the outbox have an item out, among any number that wait.
    statements: ['CREATE INDEX outbox_by_claim ON outbox (queue, lane) WHERE claimed_until IS NOT NULL'],
  },
  {
    version: 5,
    name: 'long queues and lists',
    statements: [
      // What has been due longest in a lane, and the next lane, however much is due.
      'CREATE INDEX outbox_by_lane_due ON outbox (queue, lane, due_at, id)',
      // Lists that are narrowed to few or none of many sessions.
      'CREATE INDEX flow_sessions_by_app ON flow_sessions (user_id, app_id, created_at, session_id)',
      'CREATE INDEX flow_sessions_by_status ON flow_sessions (user_id, status, created_at, session_id)',
    ],
  },
  flowUsageMigration,
  flowWaitingMigration,
  flowSecretMigration,
];

/** `schema_migrations` says what was applied; `database_identity` has one row that tells this database from any other. */
export const bookkeeping: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS schema_migrations (
    version BIGINT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    applied_at BIGINT NOT NULL
  )`,
  'CREATE TABLE IF NOT EXISTS database_identity (id TEXT NOT NULL PRIMARY KEY, created_at BIGINT NOT NULL)',
];

/** Tables with what Flowgate was given to keep, beside its bookkeeping. */
export const dataTables: readonly string[] = [
  'api_keys',
  'leases',
  'outbox',
  'outbox_lanes',
  ...flowTables,
  ...flowUsageTables,
  ...flowSecretTables,
];

/** The database cannot be used by this version of Flowgate; an operator has to act. Fatal at start. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase';
}

export function migrationChecksum(migration: Migration): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify([migration.name, migration.statements])).digest('hex');
}

/** What is still to be applied. Throws `UnusableDatabase` when the database is newer than this code or was made by a changed migration. */
export function pendingMigrations(
  applied: readonly AppliedMigration[],
  known: readonly Migration[] = migrations,
): readonly Migration[] {
  const byVersion = new Map(known.map((migration) => [migration.version, migration]));
  for (const { version, checksum } of applied) {
    const migration = byVersion.get(version);
    if (migration === undefined)
      throw new UnusableDatabase(
        `it has schema version ${version}, this Flowgate knows ${known.at(-1)?.version ?? 0}: start a newer Flowgate`,
      );
    if (migrationChecksum(migration) !== checksum)
      throw new UnusableDatabase(`its migration ${version} differs from this Flowgate's: it was made by another build`);
  }
  const done = new Set(applied.map(({ version }) => version));
  return known.filter(({ version }) => !done.has(version));
}
