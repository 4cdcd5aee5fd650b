/** Chooses the node for a call: the first healthy one, then the next when one fails. A call that may have arrived is repeated only if it is repeatable. */

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
  /** Milliseconds for the whole call, all tries together; while another healthy node is left, a try has a third of it. */
  readonly timeoutMs: number;
};

/** The most tries of which bytes were sent: when several nodes fail one after another, the call is probably the cause. */
const mostSentTries = 3;
const triesInTime = 3;

/** One kind of question, and how to ask a node. */
type Way<Call, Answer> = {
  /** The call, with the terms of one try. */
  readonly tryOf: (call: Call, timeoutMs: number, waitMs: number | undefined, canLeave: boolean) => Call;
  readonly send: (node: PooledNode, call: Call) => Promise<TryReply<Answer>>;
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

/** What a pool needs of a node. */
export type PooledNode = Pick<
  WatchedNode,
  'nodeId' | 'send' | 'sendBatch' | 'isResting' | 'restMs' | 'isOut' | 'outage' | 'note'
>;

/** The nodes of a pool, which may change: they are looked at for each try, so one that is taken out gets no further call. */
export type PoolMembers = { readonly nodes: readonly PooledNode[] };

/** A call takes at most the pool's time, or its own. `node-faults` defines what each failure of a node means. */
export function createNodePool(nodes: readonly PooledNode[], parts: NodePoolParts): NodePort {
  return createChangingPool({ nodes }, parts);
}

/** The same of nodes that come and go. */
export function createChangingPool(members: PoolMembers, parts: NodePoolParts): NodePort {
  return {
    send: (call) => ask(members, parts, single, call),
    sendBatch: (batch) => ask(members, parts, together, batch),
  };
}

async function ask<Call extends CallTerms, Answer extends NodeAnswer | BatchAnswer>(
  members: PoolMembers,
  { clock, timeoutMs }: NodePoolParts,
  way: Way<Call, Answer>,
  call: Call,
): Promise<NodeReply<Answer | NodeError>> {
  const startedMs = clock.monotonic();
  const wholeMs = call.timeoutMs === undefined ? timeoutMs : Math.min(call.timeoutMs, timeoutMs);
  let failure: NodeFailure | undefined;
  let sentTries = 0;
  /** A JSON-RPC error that came with a status about the node: returned when no other node answers. */
  let refusal: { readonly ok: true; readonly nodeId: string; readonly answer: NodeError } | undefined;
  /** Made only at the second try: most calls have one. */
  let asked: Set<PooledNode> | undefined;
  while (sentTries < mostSentTries) {
    const { nodes } = members;
    const node = nextOf(nodes, asked, call.leftOut);
    const leftMs = asked === undefined ? wholeMs : startedMs + wholeMs - clock.monotonic();
    if (node === undefined || leftMs <= 0) break;
    if (asked !== undefined && call.caller?.request.signal.aborted === true) {
      failure = 'abandoned';
      break;
    }
    const outage = node.outage();
    const hasOther = hasHealthyOther(nodes, node, asked, call.leftOut);
    const reply = await way.send(node, tryOf(way, call, leftMs, wholeMs / triesInTime, hasOther));
    // If the node was found on another chain meanwhile, its answer does not count for a read, and says nothing new about the node.
    const isVoid = node.isOut() && call.repeatable;
    if (!isVoid) node.note(reply, outage);
    if (reply.ok && !isVoid) return reply;

    const sent = reply.ok || reply.mayHaveArrived;
    if (sent) sentTries++;
    const meaning = nodeFaults[isVoid || reply.ok ? 'wrong-chain' : reply.fault];
    // When bytes of the call were sent, the reply must not say that none were.
    if (sent || sentTries === 0) failure = node.isOut() ? 'wrong-chain' : meaning.failure;
    if (reply.ok) release(reply.answer);
    else if (!isVoid && reply.refusal !== undefined) refusal = { ok: true, nodeId: node.nodeId, answer: reply.refusal };
    if (sent ? !call.repeatable || !meaning.elsewhere : meaning.failure === 'abandoned') break;
    asked ??= new Set();
    asked.add(node);
  }
  return refusal ?? { ok: false, failure: failure ?? failureOfNone(members), mayHaveArrived: sentTries > 0 };
}

/**
 * Healthy nodes in their configured order, then resting ones, the shortest rest first: a pool whose nodes have all failed is still tried, and calls that break nodes
 * do not send others to a dead one. A node on another chain is not asked.
 */
function nextOf(
  nodes: readonly PooledNode[],
  asked: ReadonlySet<PooledNode> | undefined,
  leftOut: ReadonlySet<string> | undefined,
): PooledNode | undefined {
  let resting: PooledNode | undefined;
  for (const node of nodes) {
    if (node.isOut() || asked?.has(node) === true || leftOut?.has(node.nodeId) === true) continue;
    if (!node.isResting()) return node;
    if (resting === undefined || node.restMs() < resting.restMs()) resting = node;
  }
  return resting;
}

/** No node was asked. */
function failureOfNone({ nodes }: PoolMembers): NodeFailure {
  return nodes.length === 0 ? 'cordoned' : 'wrong-chain';
}

function hasHealthyOther(
  nodes: readonly PooledNode[],
  one: PooledNode,
  asked: ReadonlySet<PooledNode> | undefined,
  leftOut: ReadonlySet<string> | undefined,
): boolean {
  for (const node of nodes)
    if (node !== one && !node.isResting() && asked?.has(node) !== true && leftOut?.has(node.nodeId) !== true)
      return true;
  return false;
}

/** When there is another node to ask, a call waits for a connection no longer than one try's time; if it is repeatable, the wait and the answer together have that time. */
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
