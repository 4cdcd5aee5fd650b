/** The tables of registered nodes and of cordoned operator nodes. */

import { flag, integer, optional, table, text, timeMs } from '@flowgate/sql/engine/table';
import type { NodeRecord, NodeStatus } from './node-store.ts';

export const nodesTable = table('nodes', 'nodeId', {
  nodeId: text('node_id'),
  ownerId: text('owner_id'),
  dlt: text('dlt'),
  networkId: text('network_id'),
  kind: text<NodeRecord['kind']>('kind'),
  providerId: optional(text('provider_id')),
  label: optional(text('label')),
  sealedUrl: text('sealed_url'),
  addressDigest: optional(text('address_digest')),
  shared: flag('shared'),
  cordoned: flag('cordoned'),
  status: text<NodeStatus>('status'),
  isOnOtherChain: flag('on_other_chain'),
  blockHeight: optional(integer('block_height')),
  latencyMs: optional(integer('latency_ms')),
  checkedAtMs: optional(timeMs('checked_at')),
  createdAtMs: timeMs('created_at'),
  /** Rows of removed nodes have no URL, label or digest. */
  removedAtMs: optional(timeMs('removed_at')),
  revision: integer('revision'),
});

export const cordonedOperatorNodesTable = table('cordoned_operator_nodes', 'nodeId', {
  nodeId: text('node_id'),
  cordonedAtMs: timeMs('cordoned_at'),
});
