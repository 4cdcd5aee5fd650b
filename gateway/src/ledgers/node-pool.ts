/** Chooses the node for a call: the first healthy one, the next when one cannot be reached; what may have arrived is only repeated where that is harmless. */

import type { HeldBytes, NoRoom } from '../platform/held-bytes.ts';
import type { Http1Failure } from '../platform/http1-reply.ts';
import type { WatchedNode } from './node-health.ts';

export type NodeFailure = 'unreachable' | 'timeout' | 'unusable' | 'overloaded' | NoRoom;

export type NodeReply =
  | {
      readonly ok: true;
      readonly nodeId: string;
      readonly status: number;
      readonly body: string;
      /** Instead of `body` when it is large: undecoded, to be released by whoever gets it. */
      readonly held?: HeldBytes;
    }
  | {
      readonly ok: false;
      readonly failure: NodeFailure;
      /** Whether a node may have received the call, and acted on it, although it gave no answer. */
      readonly mayHaveArrived: boolean;
    };

export type NodePool = {
  /**
   * `repeatable` false: once its bytes left, a call is never sent again, to no node: a transaction is not submitted twice.
   * With an `owner` a large answer is counted for it and comes as `held` bytes.
   */
  readonly send: (body: string, repeatable: boolean, owner?: string) => Promise<NodeReply>;
};

export function createNodePool(nodes: readonly WatchedNode[]): NodePool {
  return {
    async send(body, repeatable, owner) {
      let failure: NodeFailure = 'unreachable';
      let mayHaveArrived = false;
      for (const node of inOrder(nodes)) {
        const reply = await node.send(body, owner);
        if (reply.ok) {
          const { status, body: text, held } = reply;
          const answered = { ok: true, nodeId: node.nodeId, status, body: text } as const;
          return held === undefined ? answered : { ...answered, held };
        }
        failure = failures[reply.failure];
        mayHaveArrived ||= reply.sent;
        // After a timeout the caller has waited long enough, and the next node would send as much as this one.
        if (endings.has(reply.failure)) break;
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

const endings: ReadonlySet<Http1Failure> = new Set(['timeout', 'too-large', 'owner-full', 'all-full']);

const failures: Readonly<Record<Http1Failure, NodeFailure>> = {
  connect: 'unreachable',
  broken: 'unreachable',
  timeout: 'timeout',
  overloaded: 'overloaded',
  malformed: 'unusable',
  'too-large': 'unusable',
  'owner-full': 'owner-full',
  'all-full': 'all-full',
};
