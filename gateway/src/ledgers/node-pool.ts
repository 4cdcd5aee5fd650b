/** Chooses the node for a call: the first healthy one, the next when one cannot be reached; what may have arrived is only repeated where that is harmless. */

import type { Clock } from '../platform/clock.ts';
import type { Http1Reply } from '../platform/http1-reply.ts';
import type { Log } from '../platform/log.ts';

/**
 * One node that can be asked. The reply is the transport's own, unmapped: `ok` with whatever HTTP status and text the node
 * answered, else the failure and whether the node may have seen the request, which alone decides if a transaction may be
 * offered to another node. A transport without statuses (a multiplexed WebSocket) answers 200.
 */
export type NodeTransport = {
  readonly nodeId: string;
  /** `body` is one JSON-RPC message or batch. Answers exactly once, never throws, never sends twice. */
  readonly send: (body: string) => Promise<Http1Reply>;
};

export type NodeReply =
  | { readonly ok: true; readonly nodeId: string; readonly status: number; readonly body: string }
  | { readonly ok: false; readonly failure: 'unreachable' | 'timeout' | 'unusable' | 'overloaded' };

export type NodePool = {
  /** `repeatable` false: once its bytes left, a call is never sent again, to no node (issue: a transaction is not submitted twice). */
  readonly send: (body: string, repeatable: boolean) => Promise<NodeReply>;
};

/** A node that failed is asked last for this long, doubling while it keeps failing. */
const firstRestMs = 1_000;
const longestRestMs = 30_000;

type Member = { readonly transport: NodeTransport; restsUntilMs: number; restMs: number };

export function createNodePool(transports: readonly NodeTransport[], clock: Clock, log: Log): NodePool {
  const members: readonly Member[] = transports.map((transport) => ({ transport, restsUntilMs: 0, restMs: 0 }));

  const failed = (member: Member, reply: Extract<Http1Reply, { ok: false }>) => {
    member.restMs = Math.min(longestRestMs, Math.max(firstRestMs, member.restMs * 2));
    member.restsUntilMs = clock.monotonic() + member.restMs;
    log.warn('node.failed', {
      nodeId: member.transport.nodeId,
      failure: reply.failure,
      sent: reply.sent,
      detail: reply.detail,
      restMs: member.restMs,
    });
  };
  const answered = (member: Member) => {
    if (member.restMs === 0) return;
    member.restMs = 0;
    member.restsUntilMs = 0;
    log.info('node.recovered', { nodeId: member.transport.nodeId });
  };

  return {
    async send(body, repeatable) {
      let failure: Extract<NodeReply, { ok: false }>['failure'] = 'unreachable';
      for (const member of inOrder(members, clock.monotonic())) {
        const reply = await member.transport.send(body);
        if (reply.ok) {
          answered(member);
          return { ok: true, nodeId: member.transport.nodeId, status: reply.status, body: reply.body };
        }
        failure = failureOf(reply.failure);
        if (reply.failure === 'overloaded') continue;
        failed(member, reply);
        if (reply.failure === 'timeout' || reply.failure === 'too-large') break;
        if (reply.sent && !repeatable) break;
      }
      return { ok: false, failure };
    },
  };
}

/** Rested nodes in their configured order, then the resting ones: a pool whose every node failed is still tried. */
function inOrder(members: readonly Member[], now: number): readonly Member[] {
  if (members.every((member) => member.restsUntilMs <= now)) return members;
  const rests = (member: Member) => member.restsUntilMs > now;
  return [...members.filter((member) => !rests(member)), ...members.filter(rests)];
}

function failureOf(
  failure: Extract<Http1Reply, { ok: false }>['failure'],
): Extract<NodeReply, { ok: false }>['failure'] {
  if (failure === 'timeout' || failure === 'overloaded') return failure;
  return failure === 'malformed' || failure === 'too-large' ? 'unusable' : 'unreachable';
}
