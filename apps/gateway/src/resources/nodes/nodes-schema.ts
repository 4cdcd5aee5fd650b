/** The schema of registered nodes. */

import type { Migration } from '@flowgate/sql/engine/schema';

export const nodesMigration: Migration = {
  version: 15,
  name: 'nodes',
  statements: [
    // address_digest is keyed, and NULL once the node is removed; removed rows are retained for a time, so that gateways load the removal.
    `CREATE TABLE nodes (
      node_id TEXT NOT NULL PRIMARY KEY,
      owner_id TEXT NOT NULL,
      dlt TEXT NOT NULL,
      network_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      provider_id TEXT,
      label TEXT,
      sealed_url TEXT NOT NULL,
      address_digest TEXT,
      shared BIGINT NOT NULL,
      cordoned BIGINT NOT NULL,
      status TEXT NOT NULL,
      on_other_chain BIGINT NOT NULL,
      block_height BIGINT,
      latency_ms BIGINT,
      checked_at BIGINT,
      created_at BIGINT NOT NULL,
      removed_at BIGINT,
      revision BIGINT NOT NULL
    )`,
    'CREATE UNIQUE INDEX nodes_by_address ON nodes (address_digest)',
    'CREATE INDEX nodes_by_owner ON nodes (owner_id, created_at, node_id) WHERE removed_at IS NULL',
    'CREATE INDEX nodes_by_creation ON nodes (created_at, node_id) WHERE removed_at IS NULL',
    'CREATE INDEX nodes_by_revision ON nodes (revision, node_id)',
    'CREATE INDEX nodes_by_removal ON nodes (removed_at) WHERE removed_at IS NOT NULL',
    'CREATE TABLE cordoned_operator_nodes (node_id TEXT NOT NULL PRIMARY KEY, cordoned_at BIGINT NOT NULL)',
  ],
};
