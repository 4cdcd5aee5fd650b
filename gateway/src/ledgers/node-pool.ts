/** Chooses the node for a call: the first healthy one, the next when one fails; what may have arrived is only repeated where that is harmless. */

import type { Clock } from '../platform/clock.ts';
import { type NodeFailure, nodeFaults } from './node-faults.ts';
import type { WatchedNode } from './node-health.ts';
import type {
  BatchAnswer,
  CallTerms,
  NodeAnswer,
  NodeBatch,
  NodeCall,
  NodeError,
  NodePort,
  NodeReply,
} from './node-port.ts';
import type { TryReply } from './node-transport.ts';

export type NodePoolParts = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The whole call, all tries together; while another healthy node is left a try has a third of it. */
  readonly timeoutMs: number;
};

/** Tries of which bytes left: what breaks one node after the other is likely to be the call. */
const mostSentTries = 3;
const triesInTime = 3;

/** The one kind of thing that is asked, and how a node is asked it. */
type Way<Call, Answer> = {
  /** The call on the terms of one try. */
  readonly tryOf: (call: Call, timeoutMs: number, waitMs: number | undefined, canLeave: boolean) => Call;
  readonly send: (node: WatchedNode, call: Call) => Promise<TryReply<Answer>>;
};

const single: Way<NodeCall, NodeAnswer> = {
  tryOf: ({ method, params, repeatable, caller }, timeoutMs, waitMs, canLeave) => ({
    method,
    params,
    repeatable,
    caller,
    timeoutMs,
    waitMs,
    canLeave,
  }),
  send: (node, call) => node.send(call),
};

const together: Way<NodeBatch, BatchAnswer> = {
  tryOf: ({ questions, repeatable, caller }, timeoutMs, waitMs, canLeave) => ({
    questions,
    repeatable,
    caller,
    timeoutMs,
    waitMs,
    canLeave,
  }),
  send: (node, batch) => node.sendBatch(batch),
};

/** Within the pool's time, or the call's. What each failure of a node means stands in `node-faults`. */
export function createNodePool(nodes: readonly WatchedNode[], parts: NodePoolParts): NodePort {
  return {
    send: (call) => ask(nodes, parts, single, call),
    sendBatch: (batch) => ask(nodes, parts, together, batch),
  };
}

async function ask<Call extends CallTerms, Answer extends NodeAnswer | BatchAnswer>(
  nodes: readonly WatchedNode[],
  { clock, timeoutMs }: NodePoolParts,
  way: Way<Call, Answer>,
  call: Call,
): Promise<NodeReply<Answer | NodeError>> {
  const startedMs = clock.monotonic();
  const wholeMs = call.timeoutMs === undefined ? timeoutMs : Math.min(call.timeoutMs, timeoutMs);
  let failure: NodeFailure | undefined;
  let sentTries = 0;
  /** A JSON-RPC error that came with a status which speaks of the node: told when no other node answers. */
  let refusal: { readonly ok: true; readonly nodeId: string; readonly answer: NodeError } | undefined;
  /** Made for the second try: most calls have one. */
  let asked: Set<WatchedNode> | undefined;
  while (sentTries < mostSentTries) {
    const node = nextOf(nodes, asked);
    const leftMs = asked === undefined ? wholeMs : startedMs + wholeMs - clock.monotonic();
    if (node === undefined || leftMs <= 0) break;
    if (asked !== undefined && call.caller?.request.signal.aborted === true) {
      failure = 'abandoned';
      break;
    }
    const outage = node.outage();
    const hasOther = hasHealthyOther(nodes, node, asked);
    const reply = await way.send(node, tryOf(way, call, leftMs, wholeMs / triesInTime, hasOther));
    // What a node of another chain has answered by now is no answer to a read, and says nothing new of the node.
    const isVoid = node.isOut() && call.repeatable;
    if (!isVoid) node.note(reply, outage);
    if (reply.ok && !isVoid) return reply;

    const sent = reply.ok || reply.mayHaveArrived;
    if (sent) sentTries++;
    const meaning = nodeFaults[isVoid || reply.ok ? 'wrong-chain' : reply.fault];
    // Of a call of which bytes left it is never said that none did.
    if (sent || sentTries === 0) failure = node.isOut() ? 'wrong-chain' : meaning.failure;
    if (reply.ok) release(reply.answer);
    else if (!isVoid && reply.refusal !== undefined) refusal = { ok: true, nodeId: node.nodeId, answer: reply.refusal };
    if (sent ? !call.repeatable || !meaning.elsewhere : meaning.failure === 'abandoned') break;
    asked ??= new Set();
    asked.add(node);
  }
  return refusal ?? { ok: false, failure: failure ?? 'wrong-chain', mayHaveArrived: sentTries > 0 };
}

/**
 * Healthy nodes in their configured order, then the resting ones, those that rest shortest first: a pool whose every node failed is still
 * tried, and calls that break nodes put nobody else to one that is dead. One of another chain is not asked.
 */
function nextOf(nodes: readonly WatchedNode[], asked: ReadonlySet<WatchedNode> | undefined): WatchedNode | undefined {
  let resting: WatchedNode | undefined;
  for (const node of nodes) {
    if (node.isOut() || asked?.has(node) === true) continue;
    if (!node.isResting()) return node;
    if (resting === undefined || node.restMs() < resting.restMs()) resting = node;
  }
  return resting;
}

function hasHealthyOther(
  nodes: readonly WatchedNode[],
  one: WatchedNode,
  asked: ReadonlySet<WatchedNode> | undefined,
): boolean {
  for (const node of nodes) if (node !== one && !node.isResting() && asked?.has(node) !== true) return true;
  return false;
}

/** With another node to go to, a call neither waits for one nor, if it is repeatable, for its answer longer than a try's time. */
function tryOf<Call extends CallTerms>(
  way: Way<Call, unknown>,
  call: Call,
  leftMs: number,
  tryMs: number,
  hasOther: boolean,
): Call {
  if (!hasOther || leftMs <= tryMs) return way.tryOf(call, leftMs, undefined, hasOther);
  return call.repeatable ? way.tryOf(call, tryMs, undefined, true) : way.tryOf(call, leftMs, tryMs, true);
}

function release(answer: NodeAnswer | BatchAnswer): void {
  if (answer.kind === 'held') answer.release();
}
