/** The schema's history: numbered steps in SQL that every engine understands, applied once each, in order, and never edited afterwards. */

import { revisionsMigration } from '@flowgate/sql/coordination/revisions-schema';
import type { Migration } from '@flowgate/sql/engine/schema';
import { auditMigration } from '../audit/audit-schema.ts';
import { bridgeMigration, bridgeTransactionsMigration, withdrawalRelaysMigration } from '../bridge/bridge-schema.ts';
import { firewallMigration } from '../firewall/firewall-schema.ts';
import { flowWaitingMigration } from '../flow/events/waiting-deliveries-schema.ts';
import { flowMigration } from '../flow/flow-schema.ts';
import { flowSecretMigration } from '../flow/secrets/secret-mark-schema.ts';
import { flowUsageMigration } from '../flow/sessions/stored-bytes-schema.ts';
import { deploymentsMigration } from '../resources/contracts/deployments-schema.ts';
import { nodesMigration } from '../resources/nodes/nodes-schema.ts';
import { usageMigration, usageSeriesMigration } from '../usage/usage-schema.ts';
import { walletsMigration } from '../wallets/wallets-schema.ts';
import { administrationMigration } from './administration-schema.ts';

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
    // Finds the partitions of the outbox that have a leased item, regardless of how many items wait.
    statements: ['CREATE INDEX outbox_by_claim ON outbox (queue, lane) WHERE claimed_until IS NOT NULL'],
  },
  {
    version: 5,
    name: 'long queues and lists',
    statements: [
      // Finds the item of a partition that has been due longest, and the next partition, regardless of how many items are due.
      'CREATE INDEX outbox_by_lane_due ON outbox (queue, lane, due_at, id)',
      // For filtered lists that contain few or none of many sessions.
      'CREATE INDEX flow_sessions_by_app ON flow_sessions (user_id, app_id, created_at, session_id)',
      'CREATE INDEX flow_sessions_by_status ON flow_sessions (user_id, status, created_at, session_id)',
    ],
  },
  flowUsageMigration,
  flowWaitingMigration,
  flowSecretMigration,
  {
    version: 9,
    name: 'owners in the outbox',
    statements: [
      // May be NULL: a gateway of the previous release still enqueues without it.
      'ALTER TABLE outbox ADD COLUMN owner TEXT',
      'UPDATE outbox SET owner = substr(lane, 1, 22) WHERE lane IS NOT NULL',
      // Finds the next partition of an owner, and the next owner, regardless of how many items are due.
      'CREATE INDEX outbox_by_owner ON outbox (queue, owner, lane)',
      'CREATE INDEX outbox_without_owner ON outbox (queue, due_at, id) WHERE owner IS NULL AND lane IS NOT NULL',
    ],
  },
  revisionsMigration,
  auditMigration,
  walletsMigration,
  firewallMigration,
  deploymentsMigration,
  nodesMigration,
  administrationMigration,
  bridgeMigration,
  usageMigration,
  usageSeriesMigration,
  bridgeTransactionsMigration,
  withdrawalRelaysMigration,
];
