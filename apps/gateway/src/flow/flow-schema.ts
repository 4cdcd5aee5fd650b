/** The tables of Flow Apps: registry, sessions, stored responses, events, app data, payments, subscriptions. */

import type { Migration } from '@flowgate/sql/engine/schema';

/** JSON is stored as TEXT: it is read as a whole, and every engine returns it unchanged. A composite key is also stored as one `id`, which is used to copy rows. */
export const flowMigration: Migration = {
  version: 3,
  name: 'flow apps',
  statements: [
    `CREATE TABLE flow_publishers (
      publisher TEXT NOT NULL PRIMARY KEY,
      owner_id TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE flow_apps (
      app_id TEXT NOT NULL PRIMARY KEY,
      owner_id TEXT NOT NULL,
      name TEXT NOT NULL,
      description TEXT,
      visibility TEXT NOT NULL,
      subject_salt TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    'CREATE INDEX flow_apps_by_age ON flow_apps (created_at, app_id)',
    'CREATE INDEX flow_apps_by_owner ON flow_apps (owner_id, created_at, app_id)',
    // id: app_id@version without build metadata, so that versions that differ only in it collide.
    `CREATE TABLE flow_versions (
      id TEXT NOT NULL PRIMARY KEY,
      app_id TEXT NOT NULL,
      version TEXT NOT NULL,
      manifest TEXT NOT NULL,
      sealed_secret TEXT NOT NULL,
      status TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      retired_at BIGINT,
      health_misses BIGINT NOT NULL
    )`,
    'CREATE INDEX flow_versions_by_app ON flow_versions (app_id, created_at, id)',
    "CREATE INDEX flow_versions_active ON flow_versions (app_id) WHERE status = 'active'",
    "CREATE INDEX flow_versions_probed ON flow_versions (id) WHERE status = 'active'",
    `CREATE TABLE flow_sessions (
      session_id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      app_id TEXT NOT NULL,
      version TEXT NOT NULL,
      status TEXT NOT NULL,
      state_version BIGINT NOT NULL,
      step TEXT NOT NULL,
      state TEXT NOT NULL,
      launch_context TEXT,
      last_sequence BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
    'CREATE INDEX flow_sessions_by_user ON flow_sessions (user_id, created_at, session_id)',
    "CREATE INDEX flow_sessions_by_expiry ON flow_sessions (expires_at) WHERE status = 'active'",
    "CREATE INDEX flow_sessions_by_end ON flow_sessions (updated_at, session_id) WHERE status <> 'active'",
    // id: session_id:idempotency key.
    `CREATE TABLE flow_responses (
      id TEXT NOT NULL PRIMARY KEY,
      session_id TEXT NOT NULL,
      body TEXT NOT NULL,
      headers TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    'CREATE INDEX flow_responses_by_session ON flow_responses (session_id)',
    `CREATE TABLE flow_events (
      id TEXT NOT NULL PRIMARY KEY,
      session_id TEXT NOT NULL,
      sequence BIGINT NOT NULL,
      type TEXT NOT NULL,
      at BIGINT NOT NULL,
      data TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX flow_events_by_session ON flow_events (session_id, sequence)',
    // Removed sessions that have responses or events which are still to be deleted.
    `CREATE TABLE flow_removed_sessions (
      session_id TEXT NOT NULL PRIMARY KEY,
      removed_at BIGINT NOT NULL
    )`,
    // id: JSON text of [user_id, app_id, name].
    `CREATE TABLE flow_app_data (
      id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      app_id TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL
    )`,
    'CREATE INDEX flow_app_data_by_user ON flow_app_data (user_id, app_id)',
    // terms: JSON of the terms by which the payment is found on its chain, without its signature. holder: the attempt that may settle the payment.
    `CREATE TABLE flow_payments (
      payment_id TEXT NOT NULL PRIMARY KEY,
      session_id TEXT NOT NULL,
      step_id TEXT NOT NULL,
      state_version BIGINT NOT NULL,
      status TEXT NOT NULL,
      holder TEXT NOT NULL,
      requirements TEXT NOT NULL,
      terms TEXT,
      from_block BIGINT,
      receipt TEXT,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL
    )`,
    // Ensures one payment for each step, also under concurrency.
    'CREATE UNIQUE INDEX flow_payments_by_step ON flow_payments (session_id, state_version, step_id)',
    `CREATE TABLE flow_subscriptions (
      subscription_id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      app_id TEXT NOT NULL,
      event_type TEXT NOT NULL,
      target_url TEXT NOT NULL,
      sealed_secret TEXT NOT NULL,
      status TEXT NOT NULL,
      disabled_reason TEXT,
      created_at BIGINT NOT NULL
    )`,
    'CREATE INDEX flow_subscriptions_by_user ON flow_subscriptions (user_id, app_id, created_at, subscription_id)',
  ],
};
