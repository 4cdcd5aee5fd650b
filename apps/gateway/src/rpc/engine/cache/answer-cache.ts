/** One network's cached answers and calls in flight, with their rules (contract/cache). This file is long because one decision covers all three cases: a call is answered from memory, joins another call, or is sent. */

import { memoized } from '@flowgate/async/bounded-map';
import type { Clock } from '@flowgate/base/clock';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { LedgerFamily } from '@flowgate/chain/families/ledger-family';
import type {
  BufferedElement,
  NodeAnswer,
  NodeCall,
  NodeFailure,
  NodeQuestion,
  NodeReply,
  TextAnswer,
} from '../../../upstream/port/node-port.ts';
import { nodeOf } from '../answered-by.ts';
import { basisOf } from './basis-of.ts';
import { type CacheableMethod, evmCacheableMethods } from './cacheable-methods.ts';
import { type CachedAnswer, CachedAnswers } from './cached-answer.ts';
import { CanonicalParams } from './canonical-params.ts';
import { ChainView, type SeenHeads } from './chain-view.ts';
import { copiedResult } from './copied-result.ts';
import { type Departure, type InFlightCall, InFlightCalls } from './in-flight-calls.ts';

export type AnswerCacheDeps = {
  readonly family: Pick<LedgerFamily, 'name' | 'reads' | 'blocks'>;
  /** Undefined: nothing is cached, but equal calls are still coalesced. */
  readonly heads: SeenHeads | undefined;
  /** The operator's nodes. */
  readonly nodeIds: readonly string[];
  /** For all cached answers; 0 turns caching off. */
  readonly maxBytes: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds for a whole call without a time limit of its own. */
  readonly timeoutMs: number;
  /** The budget that large answers are charged to. */
  readonly budget: ByteBudget;
  readonly counts: CacheCounts;
  /** A random whole number of 32 bits. */
  readonly seed: number;
};

/** Values of metrics. */
export type CacheCounts = Readonly<Record<'hits' | 'misses' | 'coalesced', { value: number }>>;

type Plan = { readonly method: string; readonly seed: number; readonly cacheable: CacheableMethod | undefined };
type Caller = Pick<NodeCall, 'leftOut' | 'caller' | 'timeoutMs'>;

const cachedForMs = 86_400_000;
/** Answers up to this length are charged to no one, like answers of nodes. */
const smallBytes = 65_536;
const placesOfAlone = 1_024;
/** The engine answers this method from the chain's head. */
const answeredBefore = 'eth_blockNumber';
/** Much shorter than the time for which the head is followed after its last use. */
const headUseEveryMs = 100;
const submission = /send|submit/i;
/**
 * New questions between two blocks whose answers are cached at once. After that, an answer is cached only when its question is repeated. Most questions never
 * are, and caching an answer costs a tenth of what asking for it costs.
 */
const maxNewInMoment = 1_000;
/** Hashes of recent questions that are stored. */
const placesOfSeen = 16_384;

export class AnswerCache {
  readonly counts: CacheCounts;
  readonly #plans = new Map<string, Plan>();
  readonly #answers: CachedAnswers;
  readonly #params = new CanonicalParams();
  readonly #inFlightCalls = new InFlightCalls(this.#params);
  readonly #view: ChainView;
  readonly #foldsHex: boolean;
  readonly #ownNodes: ReadonlySet<string>;
  /** Hashes of questions whose answer is unshareable: large, or of a node that other callers may not call. */
  readonly #alone = new Int32Array(placesOfAlone);
  readonly #seen = new Int32Array(placesOfSeen);
  /** Whether a method that is not a read may change the results of its caller's reads. */
  readonly submits = memoized(placesOfAlone, (method: string) => submission.test(method));
  /** The question of the latest `look`. */
  #plan: Plan | undefined;
  #hash = 0;
  #size = 0;
  #newMoment = -1;
  #newLeft = 0;
  /** The end of the call that last used the head. */
  #headUsedMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: AnswerCacheDeps) {
    const { family, heads, maxBytes, nodeIds, seed } = deps;
    this.counts = deps.counts;
    this.#answers = new CachedAnswers(maxBytes, this.#params);
    this.#view = new ChainView(heads, nodeIds);
    this.#foldsHex = family.name === 'evm';
    this.#ownNodes = new Set(nodeIds);
    const isCaching = family.name === 'evm' && heads !== undefined && maxBytes > 0;
    let nth = 0;
    for (const method of family.reads)
      if (method !== answeredBefore)
        this.#plans.set(method, {
          method,
          seed: seed ^ Math.imul(++nth, 0x9e3779b1),
          cacheable: isCaching ? evmCacheableMethods.get(method) : undefined,
        });
  }

  get budget(): ByteBudget {
    return this.deps.budget;
  }

  /** The methods whose calls may be repeated. */
  get reads(): ReadonlySet<string> {
    return this.deps.family.reads;
  }

  /** Size of all cached answers. */
  get bytes(): number {
    return this.#answers.bytes;
  }

  close(): void {
    this.#view.close();
  }

  /** Selects the question for `cached`, `shareable` and `begin`, until the next `look`. False for a question that is neither cached nor shared. */
  look({ method, params }: NodeQuestion): boolean {
    // Consecutive questions mostly have the same method.
    const plan = this.#plan?.method === method ? this.#plan : this.#plans.get(method);
    if (plan === undefined) return false;
    const size = this.#params.write(params, this.#foldsHex);
    if (size < 0) return false;
    this.#plan = plan;
    this.#size = size;
    this.#hash = this.#params.hash(size, plan.seed);
    return true;
  }

  /** The cached answer, if this caller may get it. */
  cached(caller: Caller): NodeReply<NodeAnswer> | undefined {
    const cached = this.#find(caller);
    if (cached === undefined) return undefined;
    if (cached.answerBytes <= smallBytes) {
      this.#answers.use(cached, caller.caller?.userId ?? '');
      this.counts.hits.value++;
      return cached.reply();
    }
    return this.#charged(cached, caller);
  }

  #find({ leftOut, caller }: Caller): CachedAnswer | undefined {
    const plan = this.#plan;
    if (plan?.cacheable === undefined) return undefined;
    const cached = this.#answers.find(this.#hash, plan.method, this.#size);
    if (cached === undefined) return undefined;
    const verdict = this.#view.evaluate(cached.basis, cached.tick, caller?.userId ?? '');
    if (verdict === 'lost' || cached.untilMs < this.deps.clock.monotonic()) {
      this.#answers.remove(cached);
      return undefined;
    }
    return verdict === 'holds' && leftOut?.has(cached.nodeId) !== true ? cached : undefined;
  }

  /** A copy that is charged to the caller until it is sent. */
  #charged(cached: CachedAnswer, { caller }: Caller): NodeReply<NodeAnswer> | undefined {
    if (caller === undefined || cached.basis.kind === 'head') return undefined;
    const buffer = new BudgetedBuffer(this.deps.budget, caller.userId);
    const grant = buffer.append(cached.block, cached.keySize, cached.block.length);
    if (grant !== 'granted') {
      buffer.release();
      return { ok: false, failure: grant, maybeDelivered: false, attempts: 0 };
    }
    this.#answers.use(cached, caller.userId);
    this.counts.hits.value++;
    const deps = [{ source: buffer, start: 0, end: buffer.length }];
    const answer: NodeAnswer = { kind: 'buffered', buffers: [buffer], parts: deps, release: () => buffer.release() };
    return { ok: true, nodeId: cached.nodeId, answer, from: 'cache', attempts: 0 };
  }

  /** An equal call in flight whose answer is as good for this caller as the answer to a new call. `endMs`: the deadline of a caller who has waited already. */
  shareable({ leftOut, timeoutMs, caller }: Caller, endMs = Number.POSITIVE_INFINITY): InFlightCall | undefined {
    if (this.#plan === undefined || asksAlone({ leftOut, timeoutMs })) return undefined;
    if (this.#alone[this.#hash & (placesOfAlone - 1)] === this.#hash) return undefined;
    const inFlightCall = this.#inFlightCalls.find(this.#hash, this.#plan.method, this.#size);
    if (inFlightCall === undefined || inFlightCall.departure.moment !== this.#view.moment()) return undefined;
    if (inFlightCall.departure.endMs > endMs) return undefined;
    return this.#view.hasSubmittedSince(caller?.userId ?? '', inFlightCall.departure.tick) ? undefined : inFlightCall;
  }

  /** Starts a call that other callers may join. `place`: its index in the batch. */
  begin(question: NodeQuestion, terms: Caller, place: number, departure = this.departure()): InFlightCall {
    const { moment } = departure;
    const isCacheable = this.#plan?.cacheable !== undefined;
    if (isCacheable) {
      this.counts.misses.value++;
      this.#noteHeadUse(departure);
    }
    if (moment !== this.#newMoment) {
      this.#newMoment = moment;
      this.#newLeft = maxNewInMoment;
    }
    const mayCache = isCacheable && (this.#wasSeen() || this.#newLeft-- > 0);
    const mayJoin = !asksAlone(terms);
    return this.#inFlightCalls.begin(question.method, this.#hash, this.#size, departure, mayCache, mayJoin, place);
  }

  /** `isFresh` makes the gateway continue to follow the head. Called at intervals only, since it reads the clock. */
  #noteHeadUse({ endMs }: Departure): void {
    if (Math.abs(endMs - this.#headUsedMs) < headUseEveryMs) return;
    this.#headUsedMs = endMs;
    this.deps.heads?.isFresh();
  }

  /** The deadline of a call that is sent now, in milliseconds of the monotonic clock. */
  endMs(): number {
    return this.deps.clock.monotonic() + this.deps.timeoutMs;
  }

  /** Milliseconds until the deadline. */
  leftMs(endMs: number): number {
    return endMs - this.deps.clock.monotonic();
  }

  departure(endMs = this.endMs()): Departure {
    return this.#view.departure(endMs);
  }

  /** Whether an equal question came recently. Remembers the current question. */
  #wasSeen(): boolean {
    const place = this.#hash & (placesOfSeen - 1);
    const wasSeen = this.#seen[place] === this.#hash;
    this.#seen[place] = this.#hash;
    return wasSeen;
  }

  /** The call was answered: no further caller may join it, and its answer is cached if it is cacheable. */
  end(inFlightCall: InFlightCall, reply: NodeReply<NodeAnswer | BufferedElement>): void {
    this.#inFlightCalls.end(inFlightCall);
    const place = inFlightCall.hash & (placesOfAlone - 1);
    if (isAlone(reply, this.#ownNodes)) this.#alone[place] = inFlightCall.hash;
    else if (this.#alone[place] === inFlightCall.hash) this.#alone[place] = 0;
    // An answer that was joined from several nodes has no single node, and is not cached.
    if (inFlightCall.mayCache && reply.ok && reply.from === undefined && reply.nodeId !== '')
      this.#store(inFlightCall, reply.nodeId, reply.answer);
  }

  #store(inFlightCall: InFlightCall, nodeId: string, given: NodeAnswer | BufferedElement): void {
    const { family, heads, clock } = this.deps;
    const cacheable = this.#plans.get(inFlightCall.method)?.cacheable;
    if (cacheable === undefined || heads === undefined) return;
    const answer = given.kind === 'buffered' ? copiedResult(given.parts, this.#answers.maxEntryBytes) : given;
    // An error is a text in which secrets are masked: a long one cannot be charged as results are.
    const entryMaxBytes = given.kind === 'error' ? smallBytes : this.#answers.maxEntryBytes;
    if (answer === undefined || answer.raw.length > entryMaxBytes) return;
    const basis = basisOf({ family, heads, view: this.#view }, cacheable, inFlightCall, nodeId, answer);
    if (basis === undefined) return;
    const { tick } = inFlightCall.departure;
    this.#answers.put(inFlightCall, { nodeId, answer, basis, tick, untilMs: clock.monotonic() + cachedForMs });
  }

  /** The result of an in-flight call for a follower. Undefined when it is unshareable. */
  async landed(inFlightCall: InFlightCall): Promise<NodeReply<TextAnswer> | undefined> {
    const reply = inFlightCall.pending === undefined ? await elementReply(inFlightCall) : await inFlightCall.pending;
    if (reply === undefined || isAlone(reply, this.#ownNodes)) return undefined;
    if (!reply.ok) return isCallersOwn(reply.failure) ? undefined : reply;
    const { answer, nodeId } = reply;
    if (answer.kind === 'buffered') return undefined;
    this.counts.coalesced.value++;
    return { ok: true, nodeId, answer, from: 'coalesced', attempts: 0 };
  }

  noteSubmission(userId: string): void {
    this.#view.noteSubmission(userId);
  }
}

/** A call with excluded nodes or with less time is unshareable: its answer may be worse than that of all nodes within the full time. */
function asksAlone({ leftOut, timeoutMs }: Pick<Caller, 'leftOut' | 'timeoutMs'>): boolean {
  return (leftOut !== undefined && leftOut.size > 0) || timeoutMs !== undefined;
}

/** A failure that says nothing about the same call of another caller. */
export function isCallersOwn(failure: NodeFailure): boolean {
  return failure === 'abandoned' || failure === 'owner-full' || failure === 'all-full';
}

/** Whether the reply is unshareable, so that each caller sends its own call. */
function isAlone(reply: NodeReply<NodeAnswer | BufferedElement>, ownNodes: ReadonlySet<string>): boolean {
  if (!reply.ok) return reply.failure === 'owner-full' || reply.failure === 'all-full';
  const { answer, nodeId, sources } = reply;
  if (answer.kind === 'buffered') return true;
  return nodeId === '' ? sources?.every((source) => ownNodes.has(source)) !== true : !ownNodes.has(nodeId);
}

async function elementReply(inFlightCall: InFlightCall): Promise<NodeReply<NodeAnswer> | undefined> {
  const reply = await inFlightCall.pendingBatch;
  if (reply === undefined || !reply.ok) return reply;
  const { answer } = reply;
  // The node may have refused the whole batch because of another question in it.
  if (answer.kind === 'error') return undefined;
  const element = answer.answers[inFlightCall.place];
  if (element === undefined || element.kind === 'buffered') return undefined;
  if (element.kind === 'failed') return { ok: false, ...element };
  return { ok: true, nodeId: nodeOf(reply, inFlightCall.place), answer: element };
}
