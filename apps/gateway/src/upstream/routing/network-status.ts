/** The status of a network, from the health checks of its nodes (contract/networks#status). */

import type { NodeStatus } from '../port/node-status.ts';

export type NetworkStatus = {
  /** `unknown`: no node is healthy, and a node was not checked yet. */
  readonly status: 'up' | 'degraded' | 'down' | 'unknown';
  /** The highest block of its healthy nodes. */
  readonly blockHeight?: number;
  readonly nodes: { readonly healthy: number; readonly total: number };
};

export function networkStatus(nodes: readonly NodeStatus[]): NetworkStatus {
  let healthy = 0;
  let pending = 0;
  let blockHeight = -1;
  for (const node of nodes) {
    if (node.status === 'pending') pending++;
    if (node.status !== 'healthy') continue;
    healthy++;
    blockHeight = Math.max(blockHeight, node.blockHeight ?? -1);
  }
  const total = nodes.length;
  return {
    status: healthy > 0 ? (healthy === total ? 'up' : 'degraded') : pending > 0 ? 'unknown' : 'down',
    ...(blockHeight >= 0 && { blockHeight }),
    nodes: { healthy, total },
  };
}
