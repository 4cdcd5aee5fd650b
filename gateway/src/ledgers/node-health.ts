/** Watches a node: one that failed rests, and is asked again by the gateway itself before it gets callers' traffic back. */

import type { Deadlines } from '../platform/deadlines.ts';
import type { Http1Failure, Http1Reply } from '../platform/http1-reply.ts';
import type { Log } from '../platform/log.ts';
import type { NodeTransport } from './node-transport.ts';

export type WatchedNode = NodeTransport & {
  /** Whether it failed and has not answered since: others are asked first. */
  readonly isResting: () => boolean;
  readonly close: () => void;
};

/** A failed node is probed after this long, doubling with every probe that fails. */
const firstRestMs = 1_000;
const longestRestMs = 30_000;

/** The cheapest call that every node of the EVM family answers; its own id, as every call has. */
const probe = '{"jsonrpc":"2.0","id":0,"method":"eth_chainId","params":[]}';

export type NodeHealthParts = { readonly log: Log; readonly deadlines: Deadlines };

export function watchNode(transport: NodeTransport, { log, deadlines }: NodeHealthParts): WatchedNode {
  const { nodeId } = transport;
  /** 0 while healthy. */
  let restMs = 0;
  let cancelProbe = () => {};

  const rest = (ms: number) => {
    restMs = ms;
    const deadline = deadlines.arm(ms, () => void tryAgain());
    cancelProbe = () => deadlines.disarm(deadline);
  };
  const tryAgain = async () => {
    const reply = await transport.send(probe);
    if (restMs === 0) return;
    if (reply.ok) recovered();
    else rest(Math.min(longestRestMs, restMs * 2));
  };
  const recovered = () => {
    restMs = 0;
    cancelProbe();
    log.info('node.recovered', { nodeId });
  };
  // Calls under way together fail together: that is one outage, whose length only the probes measure.
  const note = (reply: Http1Reply) => {
    if (reply.ok) {
      if (restMs > 0) recovered();
    } else if (!isOurs(reply.failure) && restMs === 0) {
      rest(firstRestMs);
      log.warn('node.failed', { nodeId, failure: reply.failure, sent: reply.sent, detail: reply.detail });
    }
    return reply;
  };

  return {
    nodeId,
    send: (body, owner) => transport.send(body, owner).then(note),
    isResting: () => restMs > 0,
    close: () => {
      cancelProbe();
      cancelProbe = () => {};
    },
  };
}

/** What this gateway had no room for says nothing about the node. */
function isOurs(failure: Http1Failure): boolean {
  return failure === 'overloaded' || failure === 'owner-full' || failure === 'all-full';
}
