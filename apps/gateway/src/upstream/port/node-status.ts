/** What the health checks of a node have found: its status, the head that it told, and how long it took (contract/networks#status). */

import type { Clock } from '@flowgate/base/clock';
import type { ProbeReply } from './node-transport.ts';

export type NodeStatus = {
  /** `pending` until the first success, or the third failure. */
  readonly status: 'pending' | 'healthy' | 'unhealthy';
  /** As it was last told. */
  readonly blockHeight?: number;
  /** Milliseconds that the last answer to the question for the head took. */
  readonly latencyMs?: number;
  /** Milliseconds since the Unix epoch: the end of the last check. */
  readonly checkedAtMs?: number;
};

/** In a row. */
const failuresToUnhealthy = 3;

/** A check succeeds when the node is on its chain and tells the head. One success makes it healthy, three failures in a row unhealthy. */
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
