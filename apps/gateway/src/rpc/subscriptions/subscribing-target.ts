/**
 * The target of a connection that may subscribe. The gateway answers `eth_subscribe` and `eth_unsubscribe`; all other
 * calls work as over HTTP.
 */

import type { CallPort, NodeCall } from '../../upstream/port/node-port.ts';
import type { SplitBatch } from '../engine/split-batch.ts';
import type { RpcTarget } from '../target.ts';
import type { ConnectionSubscriptions } from './connection-subscriptions.ts';

const subscribe = 'eth_subscribe';
const unsubscribe = 'eth_unsubscribe';

function isOurs(method: string): boolean {
  return method === subscribe || method === unsubscribe;
}

/**
 * All other subscription methods are blocked. Batches are `split`, and their subscriptions are made one after another.
 */
export function subscribingTarget(
  target: RpcTarget,
  subscriptions: ConnectionSubscriptions,
  split: SplitBatch,
): RpcTarget {
  const answer = (call: NodeCall): ReturnType<CallPort['send']> => {
    if (call.method === unsubscribe) return subscriptions.unsubscribe(call.params);
    if (call.caller === undefined) throw new Error('no one subscribes');
    return subscriptions.subscribe(target, call.params, call.caller);
  };
  return {
    ...target,
    policy(method) {
      const verdict = target.policy(method);
      if (verdict !== 'subscription') return verdict;
      return isOurs(method) ? 'forward' : 'blocked';
    },
    port: {
      send: (call) => (isOurs(call.method) ? answer(call) : target.port.send(call)),
      sendBatch: (batch) =>
        split(batch, {
          takes: ({ method }) => isOurs(method),
          single: answer,
          rest: (rest) => target.port.sendBatch(rest),
          atOnce: 1,
        }),
    },
  };
}
