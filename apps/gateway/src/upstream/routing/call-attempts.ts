/** The attempts of one call at the nodes of a pool: which node is asked, for how long, and what its outcome means. */

import type { Deadline, TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import { isAnswer, type NodeFailure, nodeFaults } from '../port/node-faults.ts';
import {
  type BatchAnswer,
  type CallTerms,
  type ElementAnswers,
  isOwnQuestion,
  type NodeAnswer,
  type NodeBatch,
  type NodeCall,
  type NodeError,
  type NodeReply,
} from '../port/node-port.ts';
import type { FailedTry, TryReply } from '../port/node-transport.ts';
import { errorFault } from '../response/error-faults.ts';
import { behindAt, type Choice, hasPeer, nextOf, otherThan, type PooledNode } from './candidates.ts';
import { type Ticket, uncounted } from './circuit-breaker.ts';
import type { MethodClasses } from './node-load.ts';

export type CallAttemptsDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds for the whole call with all tries. */
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly choice: Choice;
  readonly classes: MethodClasses;
  /** With short ticks. Absent in a pool whose nodes never change, where calls do not wait for another node. */
  readonly timers?: Pick<TimerWheel, 'arm' | 'disarm'> | undefined;
};

/** The nodes of a pool. The list is read for each try, so a removed node receives no further try. */
export type PoolMembers = { readonly nodes: readonly PooledNode[] };

/** How a kind of call, single or batch, is sent and checked. */
export type Way<Call, Answer> = {
  readonly classOf: (call: Call, classes: MethodClasses) => number;
  /** The call, with the terms of one try. */
  readonly tryOf: (call: Call, timeoutMs: number, waitMs: number | undefined, canLeave: boolean) => Call;
  readonly send: (node: PooledNode, call: Call) => Promise<TryReply<Answer>>;
  /** Whether the answer is plausible for the call. */
  readonly accepts: (call: Call, answer: Answer) => boolean;
};

export const single: Way<NodeCall, NodeAnswer> = {
  classOf: ({ method }, classes) => classes.of(method),
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
  accepts: ({ expects }, answer) =>
    expects === undefined || answer.kind === 'error' || (answer.kind === 'result' && expects(answer.raw)),
};

export const batched: Way<NodeBatch, BatchAnswer> = {
  classOf: (_batch, classes) => classes.batch,
  tryOf: ({ questions, repeatable, caller }, timeoutMs, waitMs, canLeave) => ({
    questions,
    repeatable,
    caller,
    timeoutMs,
    waitMs,
    canLeave,
  }),
  send: (node, batch) => node.sendBatch(batch),
  accepts: () => true,
};

/** While another node is left, a try gets at most this fraction of the whole time: 1 / `triesInTime`. */
export const triesInTime = 3;
/** A try gets this multiple of the method's 99th percentile at the node. */
const p99Multiple = 3;
/** A try gets at least this time, enough for a node's pause or a new connection. */
const minTryMs = 500;
/** Interval at which a call without another node checks for one. */
const alternativeCheckMs = 50;

/** One try at a node. */
export type Try<Answer> = {
  readonly node: PooledNode;
  readonly ticket: Ticket;
  readonly startedMs: number;
  readonly reply: Promise<TryReply<Answer>>;
  /** Set if an operator's node is not known to have the block that the call needs: the newest block it is known to have, -1 for none. */
  readonly behindAt: number | undefined;
  /** Whether no other node is ready now, although one may be later. */
  readonly isAlone: boolean;
};

export type Reply<Answer> = NodeReply<Answer | NodeError>;

/** Serves one call. Without `async` functions, a call with a single try needs only one promise. */
export class CallAttempts<Call extends CallTerms, Answer extends NodeAnswer | BatchAnswer> {
  readonly #startedMs: number;
  readonly #wholeMs: number;
  readonly methodClass: number;
  /** Whether latencies are recorded: only a pool of several nodes compares them. */
  readonly #measures: boolean;
  #failure: NodeFailure | undefined;
  #sentTries = 0;
  #sentTo: string | undefined;
  /** A JSON-RPC error about the node, or one that came with an HTTP status about it. The caller receives it if no other node answers. */
  #refusal: { readonly ok: true; readonly nodeId: string; readonly answer: NodeError } | undefined;
  /** The nodes that were asked before the latest one; created at the second try. */
  #asked: Set<PooledNode> | undefined;
  #latest: PooledNode | undefined;
  #latestMs = 0;
  #tries = 0;
  /** Set once several tries may run at the same time. */
  #resolve: ((reply: Reply<Answer>) => void) | undefined;
  protected isAnswered = false;
  /** Tries without an outcome yet. */
  protected pending = 0;
  #nextCheck: Deadline | undefined;

  constructor(
    private readonly members: PoolMembers,
    private readonly deps: CallAttemptsDeps,
    private readonly way: Way<Call, Answer>,
    protected readonly call: Call,
  ) {
    const { clock, timeoutMs, classes } = deps;
    this.#startedMs = clock.monotonic();
    this.#wholeMs = call.timeoutMs === undefined ? timeoutMs : Math.min(call.timeoutMs, timeoutMs);
    this.#measures = members.nodes.length > 1;
    this.methodClass = this.#measures ? way.classOf(call, classes) : 0;
  }

  tryNext(): Promise<Reply<Answer>> {
    const one = this.begin();
    if (one === undefined) return Promise.resolve(this.end());
    if (one.isAlone) return this.race(one);
    return one.reply.then((reply) => this.evaluate(one, reply) ?? this.tryNext());
  }

  /** Runs several tries at the same time; the first answer counts. While no other node is ready, it checks for one at intervals: the only node with a block may hang (contract/routing#time-of-a-try). */
  protected race(first: Try<Answer>): Promise<Reply<Answer>> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#track(first);
    });
  }

  /** Asks another node; false if none is left. */
  protected launch(): boolean {
    const one = this.begin();
    if (one === undefined) return false;
    this.#track(one);
    return true;
  }

  #track(one: Try<Answer>): void {
    this.pending++;
    void one.reply.then((reply) => this.#settle(one, reply));
    if (one.isAlone) this.#checkLater();
  }

  #settle(one: Try<Answer>, reply: TryReply<Answer>): void {
    this.pending--;
    if (this.isAnswered) {
      this.note(one, errorAsFailure(reply), one.node.isOut());
      if (reply.ok) release(reply.answer);
      return;
    }
    const verdict = this.evaluate(one, reply);
    // After a failed try, another pending try may still succeed.
    const isFinal = (verdict?.ok === true && reply.ok) || this.pending === 0;
    if (!isFinal) return;
    if (verdict !== undefined) this.answer(verdict);
    else if (!this.launch()) this.answer(this.end());
  }

  protected answer(reply: Reply<Answer>): void {
    this.isAnswered = true;
    if (this.#nextCheck !== undefined) this.deps.timers?.disarm(this.#nextCheck);
    this.#resolve?.(reply);
  }

  #checkLater(): void {
    this.#nextCheck = this.deps.timers?.arm(alternativeCheckMs, () => {
      this.#nextCheck = undefined;
      if (this.isAnswered) return;
      if (this.pending === 1 && this.#isAnotherDue()) this.launch();
      // A try that was launched without an alternative has armed its own check.
      if (this.#nextCheck === undefined && this.#tries < this.deps.attempts) this.#checkLater();
    });
  }

  #isAnotherDue(): boolean {
    const { call, deps } = this;
    if (this.#latest === undefined) return false;
    const sinceMs = deps.clock.monotonic() - this.#latestMs;
    if (sinceMs < minTryMs) return false;
    const other = otherThan(this.members.nodes, this.#latest, this.#asked, call);
    return other === 'ready' || (other === 'likely to fail' && sinceMs >= this.#wholeMs / triesInTime);
  }

  /** Asks the next node. Undefined if no node or no time is left, or the caller has left. */
  protected begin(): Try<Answer> | undefined {
    const { call, deps, way } = this;
    const { nodes } = this.members;
    const isFirst = this.#latest === undefined;
    if (this.#latest !== undefined) {
      this.#asked ??= new Set();
      this.#asked.add(this.#latest);
    }
    if (this.#tries >= deps.attempts) return undefined;
    const nowMs = isFirst ? this.#startedMs : deps.clock.monotonic();
    const leftMs = this.#startedMs + this.#wholeMs - nowMs;
    const node = nextOf(nodes, this.#asked, call, deps.choice, this.methodClass, nowMs);
    if (node === undefined || leftMs <= 0) return undefined;
    if (!isFirst && call.caller?.request.signal.aborted === true) {
      this.#failure = 'abandoned';
      return undefined;
    }
    this.#tries++;
    this.#latest = node;
    this.#latestMs = nowMs;
    const ticket = isOwnQuestion(call) ? uncounted : node.take(nowMs);
    const other = nodes.length > 1 ? this.#other() : 'none';
    const hasOther = other === 'ready';
    if (this.#measures) node.load.begin(this.methodClass, nowMs);
    const terms = tryOf(way, call, leftMs, hasOther ? this.#tryMs(node) : leftMs, hasOther);
    const isAlone = !hasOther && other !== 'none' && call.repeatable && deps.timers !== undefined;
    return { node, ticket, startedMs: nowMs, reply: way.send(node, terms), behindAt: behindAt(node, call), isAlone };
  }

  /** The best node for a second try next to the latest one. */
  #other(): ReturnType<typeof otherThan> {
    if (this.#latest === undefined || this.#tries >= this.deps.attempts) return 'none';
    return otherThan(this.members.nodes, this.#latest, this.#asked, this.call);
  }

  /** Whether an equally good candidate is left, which may be asked although the latest node has not failed. */
  protected hasPeer(): boolean {
    const { call, deps } = this;
    if (this.#latest === undefined || this.#tries >= deps.attempts) return false;
    return hasPeer(this.members.nodes, this.#latest, this.#asked, call);
  }

  /** A third of the whole time, or less for a method whose latencies at this node are known (contract/routing#time-of-a-try). */
  #tryMs(node: PooledNode): number {
    const thirdMs = this.#wholeMs / triesInTime;
    const p99Ms = node.load.p99Ms(this.methodClass);
    return p99Ms === undefined ? thirdMs : Math.min(thirdMs, Math.max(minTryMs, p99Multiple * p99Ms));
  }

  /** The reply to the caller; undefined if the next node is to be asked. */
  protected evaluate(one: Try<Answer>, given: TryReply<Answer>): Reply<Answer> | undefined {
    const { call } = this;
    const reply = this.#checked(errorAsFailure(given));
    const { node } = one;
    // A node that was found on another chain meanwhile gives no valid answer to a read.
    const isVoid = node.isOut() && call.repeatable;
    this.note(one, reply, isVoid);
    if (reply.ok && !isVoid) {
      const { behindAt } = one;
      if (behindAt === undefined) return this.#tries === 1 ? reply : { ...reply, attempts: this.#tries };
      return { ...reply, attempts: this.#tries, behind: new Map([[node.nodeId, behindAt]]) };
    }

    const sent = reply.ok || reply.maybeDelivered;
    if (sent) {
      this.#sentTries++;
      this.#sentTo = node.nodeId;
    }
    const meaning = nodeFaults[isVoid || reply.ok ? 'wrong-chain' : reply.fault];
    if (meaning === nodeFaults.timeout) call.timedOut?.add(node.nodeId);
    // If a try may have been delivered, the reply must not hide that behind a later failure before sending.
    if (sent || this.#sentTries === 0) this.#failure = node.isOut() ? 'wrong-chain' : meaning.failure;
    if (reply.ok) release(reply.answer);
    else if (!isVoid && reply.refusal !== undefined)
      this.#refusal = { ok: true, nodeId: node.nodeId, answer: reply.refusal };
    const isLast = sent ? !call.repeatable || !meaning.elsewhere : meaning.failure === 'abandoned';
    return isLast ? this.end() : undefined;
  }

  #checked(reply: TryReply<Answer>): TryReply<Answer> {
    if (!reply.ok || this.way.accepts(this.call, reply.answer)) return reply;
    release(reply.answer);
    return unexpected;
  }

  /** Records the outcome of a try in the node's circuit breaker and latencies. `isVoid`: the outcome says nothing about the node. */
  protected note({ node, ticket, startedMs }: Try<Answer>, reply: TryReply<Answer>, isVoid: boolean): void {
    if (isVoid) node.drop(ticket);
    else node.note(reply, ticket);
    const fault = reply.ok ? undefined : nodeFaults[reply.fault];
    const answered = fault === undefined || isAnswer(fault);
    const counts = !isVoid && ticket !== uncounted && (answered || fault.node === 'counts');
    if (!counts && !this.#measures) return;
    const nowMs = this.deps.clock.monotonic();
    const tookMs = nowMs - startedMs;
    if (counts) node.load.recent.note(tookMs, answered, nowMs);
    if (!this.#measures) return;
    const saysNothing = isVoid || (!answered && fault.node === 'nothing');
    node.load.end(this.methodClass, saysNothing ? undefined : tookMs, answered, nowMs);
  }

  /** The reply if no node has answered. */
  protected end(): Reply<Answer> {
    const attempts = this.#tries;
    // After the caller left, further nodes were not asked: one node's error is no answer for the followers of the same call.
    if (this.#refusal !== undefined && this.#failure !== 'abandoned') return { ...this.#refusal, attempts };
    const failure = this.#failure ?? failureOfNone(this.members, this.call);
    return { ok: false, failure, maybeDelivered: this.#sentTries > 0, sentTo: this.#sentTo, attempts };
  }
}

function failureOfNone({ nodes }: PoolMembers, { onlyNode }: CallTerms): NodeFailure {
  return nodes.some(({ nodeId }) => onlyNode === undefined || nodeId === onlyNode) ? 'wrong-chain' : 'cordoned';
}

/** If there is another node, a call waits for a connection at most for the time of one try. If it is repeatable, both waiting and answering get that time. */
function tryOf<Call extends CallTerms>(
  way: Pick<Way<Call, unknown>, 'tryOf'>,
  call: Call,
  leftMs: number,
  tryMs: number,
  hasOther: boolean,
): Call {
  if (!hasOther || leftMs <= tryMs) return way.tryOf(call, leftMs, undefined, hasOther);
  return call.repeatable ? way.tryOf(call, tryMs, undefined, true) : way.tryOf(call, leftMs, tryMs, true);
}

const unexpected: FailedTry = {
  ...{ ok: false, fault: 'unusable', failure: nodeFaults.unusable.failure, maybeDelivered: true },
  detail: 'the hash of another transaction',
};

/** A JSON-RPC error about the node is no answer to the call. Neither is a batch in which each element is an error that counts against the node, such as a limit of its plan. */
export function errorAsFailure<Answer extends NodeAnswer | BatchAnswer>(reply: TryReply<Answer>): TryReply<Answer> {
  if (!reply.ok) return reply;
  const answer: NodeAnswer | BatchAnswer = reply.answer;
  const refusal = answer.kind === 'error' ? answer : answer.kind === 'batch' ? refusalOfAll(answer) : undefined;
  const fault = refusal && errorFault(refusal.raw);
  if (fault === undefined) return reply;
  const { failure } = nodeFaults[fault];
  return { ok: false, fault, failure, maybeDelivered: true, detail: 'JSON-RPC error', refusal };
}

/** The first element's error, if each element is an error that counts against the node. */
function refusalOfAll({ answers }: ElementAnswers): NodeError | undefined {
  const [first] = answers;
  if (first?.kind !== 'error') return undefined;
  for (const answer of answers) {
    const fault = answer?.kind === 'error' ? errorFault(answer.raw) : undefined;
    if (fault === undefined || nodeFaults[fault].node !== 'counts') return undefined;
  }
  return first;
}

export function release(answer: NodeAnswer | BatchAnswer): void {
  if (answer.kind === 'buffered') answer.release();
}
