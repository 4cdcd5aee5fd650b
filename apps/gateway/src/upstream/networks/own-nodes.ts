/** A port to the operator's nodes of a network. Shared nodes are excluded: their answers must not affect other users. */

import type { NodePort, NodeReply } from '../port/node-port.ts';
import type { Network } from './network.ts';

type OwnNode = Pick<Network['nodes'][number], 'pool' | 'status'>;

const maxNodes = 3;
const defaultTimeoutMs = 10_000;
const ranks = ['healthy', 'pending', 'unhealthy'];

/** For the gateway's own repeatable reads. Nodes are asked one after another, healthy ones first, until one answers; each gets an equal share of the time. */
export function ownNodesOf(nodes: readonly OwnNode[]): NodePort {
  async function first<Answer>(
    wholeMs: number,
    ask: (pool: NodePort, timeoutMs: number) => Promise<NodeReply<Answer>>,
  ): Promise<NodeReply<Answer>> {
    const order = nodes.toSorted((left, right) => rankOf(left) - rankOf(right)).slice(0, maxNodes);
    let reply: NodeReply<Answer> = { ok: false, failure: 'unreachable', maybeDelivered: false };
    for (const { pool } of order) {
      reply = await ask(pool, wholeMs / order.length);
      if (reply.ok) break;
    }
    return reply;
  }
  return {
    send: (call) => first(call.timeoutMs ?? defaultTimeoutMs, (pool, timeoutMs) => pool.send({ ...call, timeoutMs })),
    sendBatch: (batch) =>
      first(batch.timeoutMs ?? defaultTimeoutMs, (pool, timeoutMs) => pool.sendBatch({ ...batch, timeoutMs })),
  };
}

function rankOf({ status }: OwnNode): number {
  return ranks.indexOf(status().status);
}
