/** The schema of deployed contracts. */

import type { Migration } from '@flowgate/sql/engine/schema';

export const deploymentsMigration: Migration = {
  version: 14,
  name: 'deployments',
  statements: [
    `CREATE TABLE deployments (
      deployment_id TEXT NOT NULL PRIMARY KEY,
      user_id TEXT NOT NULL,
      dlt TEXT NOT NULL,
      network_id TEXT NOT NULL,
      transaction_hash TEXT NOT NULL,
      deployer TEXT NOT NULL,
      nonce TEXT NOT NULL,
      address TEXT NOT NULL,
      status TEXT NOT NULL,
      failure_reason TEXT,
      block_number BIGINT,
      block_hash TEXT,
      unseen_since BIGINT,
      settled_at BIGINT,
      settled_block BIGINT,
      due_at BIGINT,
      claims BIGINT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    // One record for each user and transaction.
    'CREATE UNIQUE INDEX deployments_by_transaction ON deployments (user_id, dlt, network_id, transaction_hash)',
    'CREATE INDEX deployments_by_user ON deployments (user_id, created_at, deployment_id)',
    // For filters that match few of many rows.
    'CREATE INDEX deployments_by_status ON deployments (user_id, status, created_at, deployment_id)',
    // The leader's next checks, and the number of followed deployments of a user.
    'CREATE INDEX deployments_by_due ON deployments (dlt, network_id, due_at) WHERE due_at IS NOT NULL',
    'CREATE INDEX deployments_followed ON deployments (user_id, due_at) WHERE due_at IS NOT NULL',
    // The oldest unfollowed deployment of a user, which is deleted for a new one.
    'CREATE INDEX deployments_at_rest ON deployments (user_id, created_at, deployment_id) WHERE due_at IS NULL',
  ],
};
