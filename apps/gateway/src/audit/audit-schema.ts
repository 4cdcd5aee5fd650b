/** The schema of the audit log: entries that the database refuses to change or delete, and their chains. */

import type { Migration } from '@flowgate/sql/engine/schema';

const refusal = 'the audit log is append-only';

/** The triggers on SQLite, by name. */
export const sqliteAuditTriggers = ['UPDATE', 'DELETE'].map(
  (event) => `CREATE TRIGGER audit_entries_no_${event.toLowerCase()} BEFORE ${event} ON audit_entries
    BEGIN SELECT RAISE(ABORT, '${refusal}'); END`,
);

export const auditMigration: Migration = {
  version: 11,
  name: 'audit log',
  statements: [
    `CREATE TABLE audit_chains (
      chain_id TEXT NOT NULL PRIMARY KEY,
      number BIGINT NOT NULL,
      begun_at BIGINT NOT NULL,
      follows TEXT,
      sequence BIGINT NOT NULL,
      hash TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX audit_chains_by_number ON audit_chains (number)',
    `CREATE TABLE audit_entries (
      audit_id TEXT NOT NULL PRIMARY KEY,
      chain_id TEXT NOT NULL,
      sequence BIGINT NOT NULL,
      previous TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      actor TEXT NOT NULL,
      via TEXT NOT NULL,
      action TEXT NOT NULL,
      target TEXT NOT NULL,
      request_id TEXT NOT NULL,
      details TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX audit_entries_by_chain ON audit_entries (chain_id, sequence)',
    'CREATE INDEX audit_entries_by_time ON audit_entries (created_at, audit_id)',
    'CREATE INDEX audit_entries_by_actor ON audit_entries (actor, created_at, audit_id)',
    'CREATE INDEX audit_entries_by_action ON audit_entries (action, created_at, audit_id)',
    'CREATE INDEX audit_entries_by_target ON audit_entries (target, created_at, audit_id)',
    ...sqliteAuditTriggers.map((text) => ({ engine: 'sqlite' as const, text })),
    {
      engine: 'postgres',
      text: `CREATE FUNCTION audit_entries_are_final() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION ''${refusal}''; END'`,
    },
    {
      engine: 'postgres',
      text: `CREATE TRIGGER audit_entries_are_final BEFORE UPDATE OR DELETE ON audit_entries
        FOR EACH ROW EXECUTE FUNCTION audit_entries_are_final()`,
    },
    {
      engine: 'postgres',
      text: `CREATE TRIGGER audit_entries_are_not_emptied BEFORE TRUNCATE ON audit_entries
        FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_are_final()`,
    },
  ],
};
