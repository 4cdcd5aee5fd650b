/** The table of deployed contracts. */

import { integer, optional, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { DeploymentStatus, FailureReason } from './deployment.ts';

export const deploymentsTable = table('deployments', 'deploymentId', {
  deploymentId: text('deployment_id'),
  userId: text('user_id'),
  dlt: text('dlt'),
  networkId: text('network_id'),
  transactionHash: text('transaction_hash'),
  deployer: text('deployer'),
  nonce: text('nonce'),
  address: text('address'),
  status: text<DeploymentStatus>('status'),
  failureReason: optional(text<FailureReason>('failure_reason')),
  blockNumber: optional(integer('block_number')),
  blockHash: optional(text('block_hash')),
  unseenSinceMs: optional(timeMs('unseen_since')),
  settledAtMs: optional(timeMs('settled_at')),
  settledBlock: optional(integer('settled_block')),
  dueAtMs: optional(timeMs('due_at')),
  claims: integer('claims'),
  createdAtMs: timeMs('created_at'),
});
