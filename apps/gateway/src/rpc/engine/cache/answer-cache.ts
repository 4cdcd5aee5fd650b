/** One network's answers in memory and calls in progress, and the rules that hold for them (contract/cache). Longer than other files, because a call is answered from memory, joins another one or departs by one decision. */

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
import { CanonicalParams } from './canonical-params.ts';
import { ChainView, type SeenHeads } from './chain-view.ts';
import { copiedResult } from './copied-result.ts';
import { type Departure, type InFlightCall, InFlightCalls } from './in-flight-calls.ts';
import { type KeptAnswer, KeptAnswers } from './kept-answer.ts';
import { evmKeptMethods, type KeptMethod } from './kept-methods.ts';

export type AnswerCacheDeps = {
  readonly family: Pick<LedgerFamily, 'name' | 'reads' | 'blocks'>;
  /** Undefined: nothing is kept, and equal calls are still made one. */
  readonly heads: SeenHeads | undefined;
  /** The operator's nodes. */
  readonly nodeIds: readonly string[];
  /** For all that is kept; 0 for nothing. */
  readonly maxBytes: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds for a whole call that says no time of its own. */
  readonly timeoutMs: number;
  /** What large answers are charged to. */
  readonly budget: ByteBudget;
  readonly counts: CacheCounts;
  /** A random whole number of 32 bits. */
  readonly seed: number;
};

/** Whoever reads them makes metrics of them. */
export type CacheCounts = Readonly<Record<'hits' | 'misses' | 'coalesced', { value: number }>>;

type Plan = { readonly method: string; readonly seed: number; readonly kept: KeptMethod | undefined };
type Caller = Pick<NodeCall, 'leftOut' | 'caller' | 'timeoutMs'>;

const keptForMs = 86_400_000;
/** Answers up to this length are not charged to anybody, as those of nodes. */
const smallBytes = 65_536;
const placesOfAlone = 1_024;
/** Told by the chain's head, which the engine answers by itself. */
const answeredBefore = 'eth_blockNumber';
/** The head is followed for far longer after anybody wanted it. */
const keptFreshEveryMs = 100;
const submission = /send|submit/i;
/**
 * Answers to questions that came for the first time, from one block to the next, that are kept at once. Of further ones it is only noted that they came, and they are kept when they come again: most are never
 * asked again, and keeping one costs as much as a tenth of asking it.
 */
const maxNewInMoment = 1_000;
/** Of numbers of questions that came lately. */
const placesOfSeen = 16_384;

export class AnswerCache {
  readonly counts: CacheCounts;
  readonly #plans = new Map<string, Plan>();
  readonly #answers: KeptAnswers;
  readonly #params = new CanonicalParams();
  readonly #inFlightCalls = new InFlightCalls(this.#params);
  readonly #view: ChainView;
  readonly #foldsHex: boolean;
  readonly #ownNodes: ReadonlySet<string>;
  /** Numbers of questions whose answer was for its own caller only: large, or of a node that others may not call. */
  readonly #alone = new Int32Array(placesOfAlone);
  readonly #seen = new Int32Array(placesOfSeen);
  /** Whether a method that is no read may change what its caller reads. */
  readonly submits = memoized(placesOfAlone, (method: string) => submission.test(method));
  /** The question that was looked at last. */
  #plan: Plan | undefined;
  #hash = 0;
  #size = 0;
  #newMoment = -1;
  #newLeft = 0;
  /** The end of the call that said so last. */
  #keptFreshMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: AnswerCacheDeps) {
    const { family, heads, maxBytes, nodeIds, seed } = deps;
    this.counts = deps.counts;
    this.#answers = new KeptAnswers(maxBytes, this.#params);
    this.#view = new ChainView(heads, nodeIds);
    this.#foldsHex = family.name === 'evm';
    this.#ownNodes = new Set(nodeIds);
    const keeps = family.name === 'evm' && heads !== undefined && maxBytes > 0;
    let nth = 0;
    for (const method of family.reads)
      if (method !== answeredBefore)
        this.#plans.set(method, {
          method,
          seed: seed ^ Math.imul(++nth, 0x9e3779b1),
          kept: keeps ? evmKeptMethods.get(method) : undefined,
        });
  }

  get budget(): ByteBudget {
    return this.deps.budget;
  }

  /** The methods whose calls may be repeated. */
  get reads(): ReadonlySet<string> {
    return this.deps.family.reads;
  }

  /** What is kept, in bytes. */
  get bytes(): number {
    return this.#answers.bytes;
  }

  close(): void {
    this.#view.close();
  }

  /** Makes this the question that `kept`, `joinable` and `begin` are about, until the next one is looked at. False for one that is never shared. */
  look({ method, params }: NodeQuestion): boolean {
    // Neighbours mostly have the same method.
    const plan = this.#plan?.method === method ? this.#plan : this.#plans.get(method);
    if (plan === undefined) return false;
    const size = this.#params.write(params, this.#foldsHex);
    if (size < 0) return false;
    this.#plan = plan;
    this.#size = size;
    this.#hash = this.#params.hash(size, plan.seed);
    return true;
  }

  /** The answer that is in memory and that this caller may get. */
  kept(caller: Caller): NodeReply<NodeAnswer> | undefined {
    const kept = this.#find(caller);
    if (kept === undefined) return undefined;
    if (kept.answerBytes <= smallBytes) {
      this.#answers.use(kept, caller.caller?.userId ?? '');
      this.counts.hits.value++;
      return kept.reply();
    }
    return this.#charged(kept, caller);
  }

  #find({ leftOut, caller }: Caller): KeptAnswer | undefined {
    const plan = this.#plan;
    if (plan?.kept === undefined) return undefined;
    const kept = this.#answers.find(this.#hash, plan.method, this.#size);
    if (kept === undefined) return undefined;
    const verdict = this.#view.evaluate(kept.basis, kept.tick, caller?.userId ?? '');
    if (verdict === 'lost' || kept.untilMs < this.deps.clock.monotonic()) {
      this.#answers.remove(kept);
      return undefined;
    }
    return verdict === 'holds' && leftOut?.has(kept.nodeId) !== true ? kept : undefined;
  }

  /** A copy that is charged to the caller until it has been sent. */
  #charged(kept: KeptAnswer, { caller }: Caller): NodeReply<NodeAnswer> | undefined {
    if (caller === undefined || kept.basis.kind === 'head') return undefined;
    const buffer = new BudgetedBuffer(this.deps.budget, caller.userId);
    const grant = buffer.append(kept.block, kept.keySize, kept.block.length);
    if (grant !== 'granted') {
      buffer.release();
      return { ok: false, failure: grant, maybeDelivered: false, attempts: 0 };
    }
    this.#answers.use(kept, caller.userId);
    this.counts.hits.value++;
    const deps = [{ source: buffer, start: 0, end: buffer.length }];
    const answer: NodeAnswer = { kind: 'buffered', buffers: [buffer], parts: deps, release: () => buffer.release() };
    return { ok: true, nodeId: kept.nodeId, answer, from: 'cache', attempts: 0 };
  }

  /** An equal call in progress whose answer is as good for this caller as one that is asked now. `endMs`: of a caller who has waited already. */
  shareable({ leftOut, timeoutMs, caller }: Caller, endMs = Number.POSITIVE_INFINITY): InFlightCall | undefined {
    if (this.#plan === undefined || asksAlone({ leftOut, timeoutMs })) return undefined;
    if (this.#alone[this.#hash & (placesOfAlone - 1)] === this.#hash) return undefined;
    const inFlightCall = this.#inFlightCalls.find(this.#hash, this.#plan.method, this.#size);
    if (inFlightCall === undefined || inFlightCall.departure.moment !== this.#view.moment()) return undefined;
    if (inFlightCall.departure.endMs > endMs) return undefined;
    return this.#view.hasSubmittedSince(caller?.userId ?? '', inFlightCall.departure.tick) ? undefined : inFlightCall;
  }

  /** This call, which no one has asked yet, or with an answer that this caller may not have; `place`: in its batch. */
  begin(question: NodeQuestion, terms: Caller, place: number, departure = this.departure()): InFlightCall {
    const { moment } = departure;
    const isKept = this.#plan?.kept !== undefined;
    if (isKept) {
      this.counts.misses.value++;
      this.#keepHeadFresh(departure);
    }
    if (moment !== this.#newMoment) {
      this.#newMoment = moment;
      this.#newLeft = maxNewInMoment;
    }
    const mayKeep = isKept && (this.#wasSeen() || this.#newLeft-- > 0);
    const mayJoin = !asksAlone(terms);
    return this.#inFlightCalls.begin(question.method, this.#hash, this.#size, departure, mayKeep, mayJoin, place);
  }

  /** Whoever asks keeps the head known for those who come next. Said now and then only, since it takes a look at the clock. */
  #keepHeadFresh({ endMs }: Departure): void {
    if (Math.abs(endMs - this.#keptFreshMs) < keptFreshEveryMs) return;
    this.#keptFreshMs = endMs;
    this.deps.heads?.isFresh();
  }

  /** The end of a call that is asked now. */
  endMs(): number {
    return this.deps.clock.monotonic() + this.deps.timeoutMs;
  }

  /** What is left until then, in milliseconds. */
  leftMs(endMs: number): number {
    return endMs - this.deps.clock.monotonic();
  }

  departure(endMs = this.endMs()): Departure {
    return this.#view.departure(endMs);
  }

  /** Whether an equal question came lately, and notes this one. */
  #wasSeen(): boolean {
    const place = this.#hash & (placesOfSeen - 1);
    const wasSeen = this.#seen[place] === this.#hash;
    this.#seen[place] = this.#hash;
    return wasSeen;
  }

  /** The call was answered: others may not join it any more, and its answer is kept where that is right. */
  end(inFlightCall: InFlightCall, reply: NodeReply<NodeAnswer | BufferedElement>): void {
    this.#inFlightCalls.end(inFlightCall);
    const place = inFlightCall.hash & (placesOfAlone - 1);
    if (isAlone(reply, this.#ownNodes)) this.#alone[place] = inFlightCall.hash;
    else if (this.#alone[place] === inFlightCall.hash) this.#alone[place] = 0;
    // An answer that was joined from several nodes is of none of them, and not cached.
    if (inFlightCall.mayKeep && reply.ok && reply.from === undefined && reply.nodeId !== '')
      this.#keep(inFlightCall, reply.nodeId, reply.answer);
  }

  #keep(inFlightCall: InFlightCall, nodeId: string, given: NodeAnswer | BufferedElement): void {
    const { family, heads, clock } = this.deps;
    const kept = this.#plans.get(inFlightCall.method)?.kept;
    if (kept === undefined || heads === undefined) return;
    const answer = given.kind === 'buffered' ? copiedResult(given.parts, this.#answers.maxEntryBytes) : given;
    // An error is given as a text, in which secrets are masked: a long one cannot be charged as results are.
    const entryMaxBytes = given.kind === 'error' ? smallBytes : this.#answers.maxEntryBytes;
    if (answer === undefined || answer.raw.length > entryMaxBytes) return;
    const basis = basisOf({ family, heads, view: this.#view }, kept, inFlightCall, nodeId, answer);
    if (basis === undefined) return;
    const { tick } = inFlightCall.departure;
    this.#answers.put(inFlightCall, { nodeId, answer, basis, tick, untilMs: clock.monotonic() + keptForMs });
  }

  /** What a call in progress gives to a caller who joined it; undefined when it gives nothing to others. */
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

/** Who may not be answered by some node, or has less time than others: neither joins others nor is joined, since the answer may be worse than that of all nodes in the whole time. */
function asksAlone({ leftOut, timeoutMs }: Pick<Caller, 'leftOut' | 'timeoutMs'>): boolean {
  return (leftOut !== undefined && leftOut.size > 0) || timeoutMs !== undefined;
}

/** A failure that says nothing about the same call of somebody else. */
export function isCallersOwn(failure: NodeFailure): boolean {
  return failure === 'abandoned' || failure === 'owner-full' || failure === 'all-full';
}

/** Whether each of those who asked the same has to ask. */
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
  // A batch that was refused as a whole may have been so for another question in it.
  if (answer.kind === 'error') return undefined;
  const element = answer.answers[inFlightCall.place];
  if (element === undefined || element.kind === 'buffered') return undefined;
  if (element.kind === 'failed') return { ok: false, ...element };
  return { ok: true, nodeId: nodeOf(reply, inFlightCall.place), answer: element };
}
