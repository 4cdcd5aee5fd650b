/** Chooses the node for a call: the first healthy one, the next when one fails; what may have arrived is only repeated where that is harmless. */

import type { HeldBytes } from '../platform/bytes/held-bytes.ts';
import type { Clock } from '../platform/clock.ts';
import type { Http1Reply } from '../platform/http1/http1-reply.ts';
import { Attempt, type NodeCall, type ReadableAnswer } from './node-call.ts';
import { faultOf, type NodeFailure, nodeFaults } from './node-faults.ts';
import type { WatchedNode } from './node-health.ts';

export type { NodeCall, NodeFailure };

export type NodeReply<Answer> =
  | { readonly ok: true; readonly nodeId: string; readonly answer: Answer }
  | {
      readonly ok: false;
      readonly failure: NodeFailure;
      /** Whether a node may have received the call, and acted on it, although it gave no answer. */
      readonly mayHaveArrived: boolean;
    };

export type NodePool = {
  /** Answers exactly once, never throws, within the pool's time. What each failure of a node means stands in `node-faults`. */
  readonly send: <Answer extends ReadableAnswer>(call: NodeCall<Answer>) => Promise<NodeReply<Answer>>;
};

export type NodePoolParts = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The whole call, all tries together; while another healthy node is left a try has a third of it. */
  readonly timeoutMs: number;
};

/** Tries of which bytes left: what breaks one node after the other is likely to be the call. */
const mostSentTries = 3;
const triesInTime = 3;

export function createNodePool(nodes: readonly WatchedNode[], { clock, timeoutMs }: NodePoolParts): NodePool {
  return {
    async send<Answer extends ReadableAnswer>(call: NodeCall<Answer>): Promise<NodeReply<Answer>> {
      const startedMs = clock.monotonic();
      let failure: NodeFailure | undefined;
      let sentTries = 0;
      /** A JSON-RPC error that came with a status which speaks of the node: told when no other node answers. */
      let refusal: { readonly ok: true; readonly nodeId: string; readonly answer: Answer } | undefined;
      /** Made for the second try: most calls have one. */
      let asked: Set<WatchedNode> | undefined;
      while (sentTries < mostSentTries) {
        const node = nextOf(nodes, asked);
        const leftMs = asked === undefined ? timeoutMs : startedMs + timeoutMs - clock.monotonic();
        if (node === undefined || leftMs <= 0) break;
        if (asked !== undefined && call.caller?.signal.aborted === true) {
          failure = 'abandoned';
          break;
        }
        const outage = node.outage();
        const attempt = attemptAt(call, leftMs, timeoutMs / triesInTime, hasHealthyOther(nodes, node, asked));
        const reply = await node.send(call.body, attempt);
        const answer = isHeld(reply) ? await readHeld(call, reply.held, node) : attempt.answer;
        const fault = node.isOut() && call.repeatable ? 'wrong-chain' : faultOf(reply, answer);
        node.note(fault, reply, outage);
        if (fault === undefined && answer !== undefined) {
          refusal?.answer.release?.();
          return { ok: true, nodeId: node.nodeId, answer };
        }

        const meaning = nodeFaults[fault ?? 'unusable'];
        const sent = reply.ok || reply.sent;
        if (sent) sentTries++;
        // Of a call of which bytes left it is never said that none did.
        if (sent || sentTries === 0) failure = node.isOut() ? 'wrong-chain' : meaning.failure;
        if (answer !== undefined && fault === 'refused') {
          refusal?.answer.release?.();
          refusal = { ok: true, nodeId: node.nodeId, answer };
        } else answer?.release?.();
        if (sent ? !call.repeatable || !meaning.elsewhere : meaning.failure === 'abandoned') break;
        asked ??= new Set();
        asked.add(node);
      }
      if (refusal !== undefined) return refusal;
      return { ok: false, failure: failure ?? 'wrong-chain', mayHaveArrived: sentTries > 0 };
    },
  };
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
function attemptAt<Answer extends ReadableAnswer>(
  call: NodeCall<Answer>,
  leftMs: number,
  tryMs: number,
  hasOther: boolean,
): Attempt<Answer> {
  if (!hasOther || leftMs <= tryMs) return new Attempt(call, leftMs, undefined, hasOther);
  return call.repeatable ? new Attempt(call, tryMs, undefined, true) : new Attempt(call, leftMs, tryMs, true);
}

type HeldReply = Extract<Http1Reply, { ok: true }> & { readonly held: HeldBytes };

function isHeld(reply: Http1Reply): reply is HeldReply {
  return reply.ok && reply.held !== undefined;
}

/** A large answer is read when its connection carries the next call already: when it does not fit, none of the node's connections is trusted. */
async function readHeld<Answer extends ReadableAnswer>(
  call: NodeCall<Answer>,
  held: HeldBytes,
  node: WatchedNode,
): Promise<Answer | undefined> {
  // A call without a reader names no owner, and gets no held bytes; should it all the same, they are given back.
  if (call.large === undefined) held.release();
  const answer = await call.large?.read(held);
  if (answer === undefined || answer.inStep === false) node.distrust();
  return answer;
}
