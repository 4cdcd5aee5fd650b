/** One try at one node over HTTP: the terms of its request, how its answer is read, and what its reply means to a pool. */

import type { HeldBytes } from '../platform/bytes/held-bytes.ts';
import type { Http1Reply, JudgedCall } from '../platform/http1/http1-call.ts';
import { retryAfterMs } from '../platform/retry-after.ts';
import type { TimeSlices } from '../platform/time-slices.ts';
import { type Chain, otherChainIn, proveChain } from './chain-proof.ts';
import { readLargeBatch, readLargeSingle } from './large-answer.ts';
import { readBatchAnswer, readSingleAnswer, saysUnreadable } from './node-answer.ts';
import { type NodeFault, nodeFaults } from './node-faults.ts';
import type { BatchAnswer, CallTerms, NodeAnswer, NodeCall } from './node-port.ts';
import type { FailedTry, TryReply } from './node-transport.ts';

/** The parts that all tries at one node share. */
export type TriedNode = {
  readonly nodeId: string;
  /** The calls that may be pipelined. */
  readonly quickReads: ReadonlySet<string>;
  /** Milliseconds; the default for calls that do not set their own. */
  readonly timeoutMs: number;
  /** The time slices in which large answers are read. */
  readonly slices: TimeSlices;
  readonly clock: { readonly now: () => number };
  /** No connection that is open now carries another call: an answer did not fit, and it is no longer known on which connection it came. */
  readonly distrust: () => void;
};

/** `inStep`: false when a part of it answered a question that was not asked. */
type Read<Answer> = (Answer & { readonly inStep?: boolean }) | undefined;

abstract class HttpTry<Answer extends NodeAnswer | BatchAnswer> implements JudgedCall<TryReply<Answer>> {
  #answer: Read<Answer>;

  constructor(
    protected readonly node: TriedNode,
    private readonly terms: CallTerms,
    protected readonly firstId: number,
  ) {}

  get timeoutMs(): number {
    return this.terms.timeoutMs ?? this.node.timeoutMs;
  }

  get waitMs(): number | undefined {
    return this.terms.waitMs;
  }

  get canLeave(): boolean | undefined {
    return this.terms.canLeave;
  }

  get signal(): AbortSignal | undefined {
    return this.terms.caller?.request.signal;
  }

  get owner(): string | undefined {
    return this.terms.caller?.userId;
  }

  protected abstract read(text: string): Read<Answer>;
  protected abstract readHeld(held: HeldBytes): Promise<Read<Answer>>;

  accepts(_status: number, body: string): boolean {
    this.#answer = this.read(body);
    return this.#answer !== undefined && this.#answer.inStep !== false;
  }

  /** An error that names no call can be caused by a call's own content, such as a number that the server cannot read. */
  isRefusal(body: string): boolean {
    return saysUnreadable(body);
  }

  outcome(reply: Http1Reply): TryReply<Answer> | Promise<TryReply<Answer>> {
    if (reply.ok && reply.held !== undefined) return this.#outcomeOf(reply, reply.held);
    return judged(reply, this.#answer, this.node);
  }

  /** By the time a large answer is read, its connection may carry the next call. If the answer does not fit, none of the node's connections is trusted. */
  async #outcomeOf(reply: Http1Reply, held: HeldBytes): Promise<TryReply<Answer>> {
    await undefined;
    const answer = await this.readHeld(held);
    if (answer === undefined || answer.inStep === false) this.node.distrust();
    return judged(reply, answer, this.node);
  }
}

export class SingleTry extends HttpTry<NodeAnswer> {
  readonly mayPipeline: boolean;

  constructor(node: TriedNode, call: NodeCall, id: number) {
    super(node, call, id);
    this.mayPipeline = call.repeatable && node.quickReads.has(call.method);
  }

  protected read(text: string): Read<NodeAnswer> {
    return readSingleAnswer(text, String(this.firstId));
  }

  protected readHeld(held: HeldBytes): Promise<Read<NodeAnswer>> {
    return readLargeSingle(held, String(this.firstId), this.node.slices);
  }
}

export class BatchTry extends HttpTry<BatchAnswer> {
  constructor(
    node: TriedNode,
    terms: CallTerms,
    firstId: number,
    private readonly count: number,
  ) {
    super(node, terms, firstId);
  }

  protected read(text: string): Read<BatchAnswer> {
    return readBatchAnswer(text, this.firstId, this.count);
  }

  protected readHeld(held: HeldBytes): Promise<Read<BatchAnswer>> {
    return readLargeBatch(held, this.firstId, this.count, this.node.slices);
  }
}

/** Statuses about the node, its provider or an intermediary, and not about the call. 500 is not among them: JSON-RPC servers send it with ordinary errors. */
const nodeStatuses: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 421, 425, 429, 502, 503, 504]);

/** `answer`: the answer read from the reply's text; undefined when it is not valid. */
function judged<Answer extends NodeAnswer | BatchAnswer>(
  reply: Http1Reply,
  answer: Answer | undefined,
  node: Pick<TriedNode, 'nodeId' | 'clock'>,
): TryReply<Answer> {
  if (!reply.ok || answer === undefined) return failedTry(reply, node.clock);
  if (answer.kind !== 'error' || !nodeStatuses.has(reply.status)) return { ok: true, nodeId: node.nodeId, answer };
  return { ...failedTry(reply, node.clock), refusal: answer };
}

/** What a reply without a valid answer means. */
function failedTry(reply: Http1Reply, clock: TriedNode['clock']): FailedTry {
  if (!reply.ok) {
    const { failure, sent, detail } = reply;
    const foundChain = failure === 'unfit' ? otherChainIn(detail) : undefined;
    return failedBy(foundChain === undefined ? failure : 'wrong-chain', sent, detail, { foundChain });
  }
  const { status, retryAfter } = reply;
  return failedBy(faultOf(status, reply.body), true, `HTTP ${status}`, {
    retryAfterMs: retryAfterMs(retryAfter, clock.now()),
  });
}

function faultOf(status: number, body: string): NodeFault {
  if (nodeStatuses.has(status)) return 'refused';
  if (status === 413) return 'size-refused';
  return saysUnreadable(body) ? 'not-understood' : 'unusable';
}

/** What the answer to the question for the chain means; undefined when it proves the right chain. */
export function failedProof(chain: Chain, reply: Http1Reply, clock: TriedNode['clock']): FailedTry | undefined {
  if (!reply.ok) return failedTry(reply, clock);
  const proof = proveChain(chain, reply.status, reply.body);
  if (proof.kind === 'right') return undefined;
  return proof.kind === 'none'
    ? { ...failedTry(reply, clock), detail: proof.detail }
    : failedBy('wrong-chain', true, 'another chain', { foundChain: proof.found });
}

function failedBy(
  fault: NodeFault,
  mayHaveArrived: boolean,
  detail: string,
  more: Pick<FailedTry, 'retryAfterMs' | 'foundChain'>,
): FailedTry {
  return { ok: false, fault, failure: nodeFaults[fault].failure, mayHaveArrived, detail, ...more };
}
