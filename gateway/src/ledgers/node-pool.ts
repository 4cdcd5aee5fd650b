/** Chooses the node for a call: the first healthy one, the next when one cannot be reached; what may have arrived is only repeated where that is harmless. */

import type { Http1Failure } from '../platform/http1-reply.ts';
import type { WatchedNode } from './node-health.ts';

export type NodeFailure = 'unreachable' | 'timeout' | 'unusable' | 'overloaded';

export type NodeReply =
  | { readonly ok: true; readonly nodeId: string; readonly status: number; readonly body: string }
  | {
      readonly ok: false;
      readonly failure: NodeFailure;
      /** Whether a node may have received the call, and acted on it, although it gave no answer. */
      readonly mayHaveArrived: boolean;
    };

export type NodePool = {
  /** `repeatable` false: once its bytes left, a call is never sent again, to no node: a transaction is not submitted twice. */
  readonly send: (body: string, repeatable: boolean) => Promise<NodeReply>;
};

export function createNodePool(nodes: readonly WatchedNode[]): NodePool {
  return {
    async send(body, repeatable) {
      let failure: NodeFailure = 'unreachable';
      let mayHaveArrived = false;
      for (const node of inOrder(nodes)) {
        const reply = await node.send(body);
        if (reply.ok) return { ok: true, nodeId: node.nodeId, status: reply.status, body: reply.body };
        failure = failures[reply.failure];
        mayHaveArrived ||= reply.sent;
        // After a timeout the caller has waited long enough, and the next node would send as much as this one.
        if (reply.failure === 'timeout' || reply.failure === 'too-large') break;
        if (reply.sent && !repeatable) break;
      }
      return { ok: false, failure, mayHaveArrived };
    },
  };
}

/** Healthy nodes in their configured order, then the resting ones: a pool whose every node failed is still tried. */
function inOrder(nodes: readonly WatchedNode[]): readonly WatchedNode[] {
  if (!nodes.some((node) => node.isResting())) return nodes;
  return [...nodes.filter((node) => !node.isResting()), ...nodes.filter((node) => node.isResting())];
}

const failures: Readonly<Record<Http1Failure, NodeFailure>> = {
  connect: 'unreachable',
  broken: 'unreachable',
  timeout: 'timeout',
  overloaded: 'overloaded',
  malformed: 'unusable',
  'too-large': 'unusable',
};
