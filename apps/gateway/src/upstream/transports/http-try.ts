/** One try at one node over HTTP: its request, the parsing of its answer, and the meaning of the reply for a pool. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import type { ByteContent } from '@flowgate/bytes/byte-content';
import { type ByteRange, rangeOf } from '@flowgate/bytes/byte-range';
import type { ByteWriter } from '@flowgate/bytes/byte-writer';
import type { EvaluatedCall, Http1Reply, ReceivedReply } from '@flowgate/http1/client/http1-call';
import { retryAfterMs } from '@flowgate/http1/retry-after';
import { type Chain, otherChainIn, proveChain } from '../port/chain-proof.ts';
import { type NodeFault, nodeFaults } from '../port/node-faults.ts';
import type { BatchAnswer, CallTerms, NodeAnswer, NodeBatch, NodeCall } from '../port/node-port.ts';
import { batchLength, requestLength, writeBatch, writeRequest } from '../port/node-request.ts';
import type { FailedTry, TryReply } from '../port/node-transport.ts';
import { readLargeBatch, readLargeSingle } from '../response/large-answer.ts';
import { readBatchAnswer, readSingleAnswer, saysUnreadable } from '../response/node-answer.ts';

/** Shared by all tries at one node. */
export type TriedNode = {
  readonly nodeId: string;
  /** The calls that may be pipelined. */
  readonly quickReads: ReadonlySet<string>;
  /** Milliseconds; the default for calls without their own. */
  readonly timeoutMs: number;
  /** The time slices in which large answers are parsed. */
  readonly slices: TimeSlices;
  readonly clock: { readonly now: () => number };
  /** No connection that is open now carries another call: an answer matched no call, and its connection is unknown. */
  readonly distrust: () => void;
};

/** `inStep`: false if an element of the batch answered no call of it. */
type Read<Answer> = (Answer & { readonly inStep?: boolean }) | undefined;

/** It is also the content of its request. Tries over a WebSocket use it with status 200. */
export abstract class HttpTry<Answer extends NodeAnswer | BatchAnswer>
  implements EvaluatedCall<TryReply<Answer>>, ByteContent
{
  #answer: Read<Answer>;

  constructor(
    protected readonly node: TriedNode,
    private readonly terms: CallTerms,
    /** The only id, or the first of a batch. */
    readonly firstId: number,
    /** The length of the request's content in bytes. */
    readonly length: number,
  ) {}

  get repeatable(): boolean {
    return this.terms.repeatable;
  }

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

  /** Of its ids: they follow one another. */
  abstract readonly count: number;
  abstract readonly isBatch: boolean;
  abstract writeTo(writer: ByteWriter): void;
  protected abstract read(content: ByteRange): Read<Answer>;
  protected abstract readBuffered(buffer: BudgetedBuffer): Promise<Read<Answer>>;

  accepts(_status: number, content: ByteRange): boolean {
    this.#answer = this.read(content);
    return this.#answer !== undefined && this.#answer.inStep !== false;
  }

  /** An error without an id can result from the content of a call, such as a number that the server cannot parse. */
  isRefusal(content: ByteRange): boolean {
    return saysUnreadable(content);
  }

  outcome(reply: ReceivedReply): TryReply<Answer> | Promise<TryReply<Answer>> {
    if (reply.ok && reply.buffered !== undefined) return this.#outcomeOf(reply, reply.buffered);
    return evaluated(reply, this.#answer, this.node);
  }

  /** When a large answer is parsed, its connection may already carry the next call. If the answer does not match, all connections of the node are dropped. */
  async #outcomeOf(reply: ReceivedReply, buffer: BudgetedBuffer): Promise<TryReply<Answer>> {
    await undefined;
    const answer = await this.readBuffered(buffer);
    if (answer === undefined || answer.inStep === false) this.node.distrust();
    return evaluated(reply, answer, this.node);
  }
}

export class SingleTry extends HttpTry<NodeAnswer> {
  readonly mayPipeline: boolean;
  readonly count = 1;
  readonly isBatch = false;

  constructor(
    node: TriedNode,
    private readonly call: NodeCall,
    id: number,
  ) {
    super(node, call, id, requestLength(call, id));
    this.mayPipeline = call.repeatable && node.quickReads.has(call.method);
  }

  writeTo(writer: ByteWriter): void {
    writeRequest(writer, this.call, this.firstId);
  }

  protected read(content: ByteRange): Read<NodeAnswer> {
    return readSingleAnswer(content, this.firstId);
  }

  protected readBuffered(buffer: BudgetedBuffer): Promise<Read<NodeAnswer>> {
    return readLargeSingle(buffer, this.firstId, this.node.slices);
  }
}

export class BatchTry extends HttpTry<BatchAnswer> {
  constructor(
    node: TriedNode,
    private readonly batch: NodeBatch,
    firstId: number,
  ) {
    super(node, batch, firstId, batchLength(batch.questions, firstId));
  }

  get isBatch(): boolean {
    return true;
  }

  get count(): number {
    return this.batch.questions.length;
  }

  writeTo(writer: ByteWriter): void {
    writeBatch(writer, this.batch.questions, this.firstId);
  }

  protected read(content: ByteRange): Read<BatchAnswer> {
    return readBatchAnswer(content, this.firstId, this.batch.questions.length);
  }

  protected readBuffered(buffer: BudgetedBuffer): Promise<Read<BatchAnswer>> {
    return readLargeBatch(buffer, this.firstId, this.batch.questions.length, this.node.slices);
  }
}

/** Statuses about the node, its provider or an intermediary, not about the call. 500 is missing, because JSON-RPC servers send it with ordinary errors. */
export const nodeStatuses: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 421, 425, 429, 502, 503, 504]);

/** `answer`: the answer parsed from the reply's content; undefined if it is not valid. */
function evaluated<Answer extends NodeAnswer | BatchAnswer>(
  reply: ReceivedReply,
  answer: Answer | undefined,
  node: Pick<TriedNode, 'nodeId' | 'clock'>,
): TryReply<Answer> {
  if (!reply.ok || answer === undefined) return failedTry(reply, node.clock);
  if (answer.kind !== 'error' || !nodeStatuses.has(reply.status)) return { ok: true, nodeId: node.nodeId, answer };
  return { ...failedTry(reply, node.clock), refusal: answer };
}

/** The failure of a reply without a valid answer. */
function failedTry(reply: ReceivedReply, clock: TriedNode['clock']): FailedTry {
  if (!reply.ok) {
    const { failure, sent, detail } = reply;
    const foundChain = failure === 'unfit' ? otherChainIn(detail) : undefined;
    return failedBy(foundChain === undefined ? failure : 'wrong-chain', sent, detail, { foundChain });
  }
  const { status, retryAfter } = reply;
  return failedBy(faultOf(status, reply.content), true, `HTTP ${status}`, {
    retryAfterMs: retryAfterMs(retryAfter, clock.now()),
  });
}

function faultOf(status: number, content: ByteRange): NodeFault {
  if (nodeStatuses.has(status)) return 'refused';
  if (status === 413) return 'size-refused';
  return saysUnreadable(content) ? 'not-understood' : 'unusable';
}

/** The failure of the chain check; undefined if the answer proves the chain. */
export function failedProof(chain: Chain, reply: Http1Reply, clock: TriedNode['clock']): FailedTry | undefined {
  if (!reply.ok) return failedTry(reply, clock);
  const { body, ...rest } = reply;
  const proof = proveChain(chain, reply.status, body);
  if (proof.kind === 'right') return undefined;
  return proof.kind === 'none'
    ? { ...failedTry({ ...rest, content: rangeOf(body) }, clock), detail: proof.detail }
    : failedBy('wrong-chain', true, 'another chain', { foundChain: proof.found });
}

export function failedBy(
  fault: NodeFault,
  maybeDelivered: boolean,
  detail: string,
  more: Pick<FailedTry, 'retryAfterMs' | 'foundChain'>,
): FailedTry {
  return { ok: false, fault, failure: nodeFaults[fault].failure, maybeDelivered, detail, ...more };
}
