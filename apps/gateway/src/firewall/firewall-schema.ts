/** The schema of policies. */

import type { Migration } from '@flowgate/sql/engine/schema';

export const firewallMigration: Migration = {
  version: 13,
  name: 'policies',
  statements: [
    `CREATE TABLE firewall_policies (
      policy_id TEXT NOT NULL PRIMARY KEY,
      owner_id TEXT NOT NULL,
      name TEXT,
      effect TEXT NOT NULL,
      subjects TEXT NOT NULL,
      resource_kind TEXT NOT NULL,
      resource_id TEXT NOT NULL,
      methods TEXT,
      selectors TEXT,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      revision BIGINT NOT NULL
    )`,
    'CREATE INDEX firewall_policies_by_owner ON firewall_policies (owner_id, created_at, policy_id)',
    'CREATE INDEX firewall_policies_by_revision ON firewall_policies (owner_id, revision)',
    `CREATE TABLE firewall_owners (
      owner_id TEXT NOT NULL PRIMARY KEY,
      policies BIGINT NOT NULL,
      revision BIGINT NOT NULL
    )`,
    'CREATE INDEX firewall_owners_by_revision ON firewall_owners (revision)',
  ],
};
