/** The results of a node's health checks: status, head and latency (contract/networks#status). */

import type { Clock } from '@flowgate/base/clock';
import type { ProbeReply } from './node-transport.ts';

export type NodeStatus = {
  /** `pending` until the first success or the third failure. */
  readonly status: 'pending' | 'healthy' | 'unhealthy';
  readonly blockHeight?: number;
  /** Milliseconds of the last answered request for the head. */
  readonly latencyMs?: number;
  /** The end of the last check, in milliseconds since the Unix epoch. */
  readonly checkedAtMs?: number;
};

/** In a row. */
const failuresToUnhealthy = 3;

/** A check succeeds if the node is on its chain and reports its head. One success makes it healthy, three failures in a row unhealthy. */
export function createNodeStatus(clock: Pick<Clock, 'now'>) {
  let current: NodeStatus = { status: 'pending' };
  let failures = 0;
  return {
    current: (): NodeStatus => current,
    note(reply: ProbeReply): void {
      const checkedAtMs = clock.now();
      if (reply.ok && reply.blockHeight !== undefined) {
        const { blockHeight, latencyMs } = reply;
        failures = 0;
        current = { status: 'healthy', blockHeight, latencyMs, checkedAtMs };
      } else {
        failures++;
        current = { ...current, checkedAtMs, ...(failures >= failuresToUnhealthy && { status: 'unhealthy' }) };
      }
    },
  };
}
