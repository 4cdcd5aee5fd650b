/** Chooses the node for a call: the first healthy one, then the next when one fails. A call that may have arrived is repeated only if it is repeatable. */

import type { Clock } from '../../platform/clock.ts';
import { errorFault } from '../error-faults.ts';
import { type NodeFailure, nodeFaults } from '../node-faults.ts';
import type {
  BatchAnswer,
  CallTerms,
  NodeAnswer,
  NodeBatch,
  NodeCall,
  NodeError,
  NodePort,
  NodeReply,
} from '../node-port.ts';
import type { TryReply } from '../node-transport.ts';
import { hasHealthyOther, nextOf, type PooledNode } from './candidates.ts';

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

/** The nodes of a pool, which may change: they are looked at for each try, so one that is taken out gets no further call. */
export type PoolMembers = { readonly nodes: readonly PooledNode[] };

/** A call takes at most the pool's time, or its own. `node-faults` defines what each failure of a node means. */
export function createNodePool(nodes: readonly PooledNode[], parts: NodePoolParts): NodePort {
  return createChangingPool({ nodes }, parts);
}

/** The same of nodes that come and go. */
export function createChangingPool(members: PoolMembers, parts: NodePoolParts): NodePort {
  return {
    send: (call) => new Asking(members, parts, single, call).tryNext(),
    sendBatch: (batch) => new Asking(members, parts, together, batch).tryNext(),
  };
}

/** One call, until a node has answered it or none is left. No `async` function: most calls have one try, which then needs one promise. */
class Asking<Call extends CallTerms, Answer extends NodeAnswer | BatchAnswer> {
  readonly #startedMs: number;
  readonly #wholeMs: number;
  #failure: NodeFailure | undefined;
  #sentTries = 0;
  #sentTo: string | undefined;
  /** A JSON-RPC error that spoke of the node, or came with a status about it: returned when no other node answers. */
  #refusal: { readonly ok: true; readonly nodeId: string; readonly answer: NodeError } | undefined;
  /** Made only at the second try. */
  #asked: Set<PooledNode> | undefined;

  constructor(
    private readonly members: PoolMembers,
    private readonly parts: NodePoolParts,
    private readonly way: Way<Call, Answer>,
    private readonly call: Call,
  ) {
    const { clock, timeoutMs } = parts;
    this.#startedMs = clock.monotonic();
    this.#wholeMs = call.timeoutMs === undefined ? timeoutMs : Math.min(call.timeoutMs, timeoutMs);
  }

  tryNext(): Promise<NodeReply<Answer | NodeError>> {
    const { way, call } = this;
    const { nodes } = this.members;
    const asked = this.#asked;
    const node = nextOf(nodes, asked, call);
    const leftMs = asked === undefined ? this.#wholeMs : this.#startedMs + this.#wholeMs - this.parts.clock.monotonic();
    if (node === undefined || leftMs <= 0) return this.#end();
    if (asked !== undefined && call.caller?.request.signal.aborted === true) {
      this.#failure = 'abandoned';
      return this.#end();
    }
    const outage = node.outage();
    const hasOther = hasHealthyOther(nodes, node, asked, call);
    const one = tryOf(way, call, leftMs, this.#wholeMs / triesInTime, hasOther);
    return way.send(node, one).then((reply) => this.#judge(node, outage, reply));
  }

  #judge(
    node: PooledNode,
    outage: number,
    given: TryReply<Answer>,
  ): NodeReply<Answer | NodeError> | Promise<NodeReply<Answer | NodeError>> {
    const { call } = this;
    const reply = errorAsFailure(given);
    // If the node was found on another chain meanwhile, its answer does not count for a read, and says nothing new about the node.
    const isVoid = node.isOut() && call.repeatable;
    if (!isVoid) node.note(reply, outage);
    if (reply.ok && !isVoid) return this.#asked === undefined ? reply : { ...reply, attempts: this.#asked.size + 1 };

    const sent = reply.ok || reply.mayHaveArrived;
    if (sent) {
      this.#sentTries++;
      this.#sentTo = node.nodeId;
    }
    const meaning = nodeFaults[isVoid || reply.ok ? 'wrong-chain' : reply.fault];
    // When bytes of the call were sent, the reply must not say that none were.
    if (sent || this.#sentTries === 0) this.#failure = node.isOut() ? 'wrong-chain' : meaning.failure;
    if (reply.ok) release(reply.answer);
    else if (!isVoid && reply.refusal !== undefined)
      this.#refusal = { ok: true, nodeId: node.nodeId, answer: reply.refusal };
    const isLast = sent ? !call.repeatable || !meaning.elsewhere : meaning.failure === 'abandoned';
    this.#asked ??= new Set();
    this.#asked.add(node);
    if (isLast || this.#sentTries >= mostSentTries) return this.#end();
    return this.tryNext();
  }

  async #end(): Promise<NodeReply<Answer | NodeError>> {
    const attempts = this.#asked?.size ?? 0;
    if (this.#refusal !== undefined) return { ...this.#refusal, attempts };
    const failure = this.#failure ?? failureOfNone(this.members, this.call);
    return { ok: false, failure, mayHaveArrived: this.#sentTries > 0, sentTo: this.#sentTo, attempts };
  }
}

/** No node was asked. */
function failureOfNone({ nodes }: PoolMembers, { onlyNode }: CallTerms): NodeFailure {
  return nodes.some(({ nodeId }) => onlyNode === undefined || nodeId === onlyNode) ? 'wrong-chain' : 'cordoned';
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

/** A JSON-RPC error that speaks of the node is no answer to the call. */
function errorAsFailure<Answer extends NodeAnswer | BatchAnswer>(reply: TryReply<Answer>): TryReply<Answer> {
  if (!reply.ok || reply.answer.kind !== 'error') return reply;
  const refusal: NodeAnswer | BatchAnswer = reply.answer;
  const fault = refusal.kind === 'error' ? errorFault(refusal.raw) : undefined;
  if (fault === undefined || refusal.kind !== 'error') return reply;
  const { failure } = nodeFaults[fault];
  return { ok: false, fault, failure, mayHaveArrived: true, detail: 'JSON-RPC error', refusal };
}

function release(answer: NodeAnswer | BatchAnswer): void {
  if (answer.kind === 'held') answer.release();
}
