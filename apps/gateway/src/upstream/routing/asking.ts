/** One call at the nodes of a pool: who is asked, for how long, what the outcome means, and who is asked next. */

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
import { type Ticket, uncounted } from './breaker.ts';
import { behindAt, type Choice, hasPeer, nextOf, otherThan, type PooledNode } from './candidates.ts';
import type { MethodClasses } from './latency.ts';

export type AskingDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds for the whole call, all tries together. */
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly choice: Choice;
  readonly classes: MethodClasses;
  /** With short ticks; absent in a pool whose nodes never change, where no node is waited for. */
  readonly timers?: Pick<TimerWheel, 'arm' | 'disarm'> | undefined;
};

/** The nodes of a pool, which may change: they are looked at for each try, so one that is taken out gets no further call. */
export type PoolMembers = { readonly nodes: readonly PooledNode[] };

/** One kind of question, and how to ask a node. */
export type Way<Call, Answer> = {
  readonly classOf: (call: Call, classes: MethodClasses) => number;
  /** The call, with the terms of one try. */
  readonly tryOf: (call: Call, timeoutMs: number, waitMs: number | undefined, canLeave: boolean) => Call;
  readonly send: (node: PooledNode, call: Call) => Promise<TryReply<Answer>>;
  /** Whether an answer can be one to the call. */
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

export const together: Way<NodeBatch, BatchAnswer> = {
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

/** While another node is left, a try has this part of the whole time at most. */
export const triesInTime = 3;
/** A try has so many times the method's 99th percentile at the node. */
const p99s = 3;
/** A try has no less than this: a node pauses, or a connection is made again. */
const minTryMs = 500;
/** How often a call that has no other node looks for one. */
const lookMs = 50;

/** A node that was asked. */
export type Try<Answer> = {
  readonly node: PooledNode;
  readonly ticket: Ticket;
  readonly startedMs: number;
  readonly reply: Promise<TryReply<Answer>>;
  /** The newest block that an operator's node was known to have, -1 for none, if that is below what the call needs. */
  readonly behindAt: number | undefined;
  /** No other node is ready to answer, but one may be later. */
  readonly isAlone: boolean;
};

export type Reply<Answer> = NodeReply<Answer | NodeError>;

/** Used for one call. No `async` function: most calls have one try, which then needs one promise. */
export class Asking<Call extends CallTerms, Answer extends NodeAnswer | BatchAnswer> {
  readonly #startedMs: number;
  readonly #wholeMs: number;
  readonly methodClass: number;
  /** Whether nodes are compared. */
  readonly #measures: boolean;
  #failure: NodeFailure | undefined;
  #sentTries = 0;
  #sentTo: string | undefined;
  /** A JSON-RPC error that spoke of the node, or came with a status about it: returned when no other node answers. */
  #refusal: { readonly ok: true; readonly nodeId: string; readonly answer: NodeError } | undefined;
  /** Those that were asked before the latest one; made only at the second try. */
  #asked: Set<PooledNode> | undefined;
  #latest: PooledNode | undefined;
  #latestMs = 0;
  #tries = 0;
  /** Of a call with several tries at a time. */
  #resolve: ((reply: Reply<Answer>) => void) | undefined;
  protected isAnswered = false;
  /** Tries that have no outcome yet. */
  protected pending = 0;
  #nextLook: Deadline | undefined;

  constructor(
    private readonly members: PoolMembers,
    private readonly deps: AskingDeps,
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

  /** Continues with several tries at a time: the first answer counts. While no other node is ready, it looks for one: a node may hang that was the only one to have a block (contract/routing#time-of-a-try). */
  protected race(first: Try<Answer>): Promise<Reply<Answer>> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#carry(first);
    });
  }

  /** Asks one more node; false when none is left. */
  protected launch(): boolean {
    const one = this.begin();
    if (one === undefined) return false;
    this.#carry(one);
    return true;
  }

  #carry(one: Try<Answer>): void {
    this.pending++;
    void one.reply.then((reply) => this.#land(one, reply));
    if (one.isAlone) this.#lookLater();
  }

  #land(one: Try<Answer>, reply: TryReply<Answer>): void {
    this.pending--;
    if (this.isAnswered) {
      this.note(one, errorAsFailure(reply), one.node.isOut());
      if (reply.ok) release(reply.answer);
      return;
    }
    const verdict = this.evaluate(one, reply);
    // After a failure the other node may still answer.
    const isFinal = (verdict?.ok === true && reply.ok) || this.pending === 0;
    if (!isFinal) return;
    if (verdict !== undefined) this.answer(verdict);
    else if (!this.launch()) this.answer(this.end());
  }

  protected answer(reply: Reply<Answer>): void {
    this.isAnswered = true;
    if (this.#nextLook !== undefined) this.deps.timers?.disarm(this.#nextLook);
    this.#resolve?.(reply);
  }

  #lookLater(): void {
    this.#nextLook = this.deps.timers?.arm(lookMs, () => {
      this.#nextLook = undefined;
      if (this.isAnswered) return;
      if (this.pending === 1 && this.#isAnotherDue()) this.launch();
      // What was launched alone looks for itself.
      if (this.#nextLook === undefined && this.#tries < this.deps.attempts) this.#lookLater();
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

  /** Asks the next node; undefined when none is left, or no time, or no one who waits for it. */
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

  /** Which node is left for a second try beside the latest one. */
  #other(): ReturnType<typeof otherThan> {
    if (this.#latest === undefined || this.#tries >= this.deps.attempts) return 'none';
    return otherThan(this.members.nodes, this.#latest, this.#asked, this.call);
  }

  /** Whether another candidate is as near as the latest node, so that it may be asked although that one has not failed. */
  protected hasPeer(): boolean {
    const { call, deps } = this;
    if (this.#latest === undefined || this.#tries >= deps.attempts) return false;
    return hasPeer(this.members.nodes, this.#latest, this.#asked, call);
  }

  /** A third of the whole time, or less for a method of which this node's times are known (contract/routing#time-of-a-try). */
  #tryMs(node: PooledNode): number {
    const thirdMs = this.#wholeMs / triesInTime;
    const p99Ms = node.load.p99Ms(this.methodClass);
    return p99Ms === undefined ? thirdMs : Math.min(thirdMs, Math.max(minTryMs, p99s * p99Ms));
  }

  /** What comes of the outcome of a try; undefined when the next node is to be asked. */
  protected evaluate(one: Try<Answer>, given: TryReply<Answer>): Reply<Answer> | undefined {
    const { call } = this;
    const reply = this.#checked(errorAsFailure(given));
    const { node } = one;
    // If the node was found on another chain meanwhile, its answer does not count for a read, and says nothing new about the node.
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
    // When bytes of the call were sent, the reply must not say that none were.
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

  /** Tells the node's breaker and its figures what became of a try. `isVoid`: its outcome says nothing about it. */
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

  /** The reply when no node has answered. */
  protected end(): Reply<Answer> {
    const attempts = this.#tries;
    // Who has left did not wait for the others: an error of one node is no answer to those who asked the same.
    if (this.#refusal !== undefined && this.#failure !== 'abandoned') return { ...this.#refusal, attempts };
    const failure = this.#failure ?? failureOfNone(this.members, this.call);
    return { ok: false, failure, maybeDelivered: this.#sentTries > 0, sentTo: this.#sentTo, attempts };
  }
}

/** No node was asked. */
function failureOfNone({ nodes }: PoolMembers, { onlyNode }: CallTerms): NodeFailure {
  return nodes.some(({ nodeId }) => onlyNode === undefined || nodeId === onlyNode) ? 'wrong-chain' : 'cordoned';
}

/** When there is another node to ask, a call waits for a connection no longer than one try's time; if it is repeatable, the wait and the answer together have that time. */
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

/** A JSON-RPC error that speaks of the node is no answer to the call. Neither is a batch of which every element is one that counts against the node, such as a limit of its plan. */
export function errorAsFailure<Answer extends NodeAnswer | BatchAnswer>(reply: TryReply<Answer>): TryReply<Answer> {
  if (!reply.ok) return reply;
  const answer: NodeAnswer | BatchAnswer = reply.answer;
  const refusal = answer.kind === 'error' ? answer : answer.kind === 'batch' ? refusalOfAll(answer) : undefined;
  const fault = refusal && errorFault(refusal.raw);
  if (fault === undefined) return reply;
  const { failure } = nodeFaults[fault];
  return { ok: false, fault, failure, maybeDelivered: true, detail: 'JSON-RPC error', refusal };
}

/** The error of the first element when each element is an error that counts against the node. */
function refusalOfAll({ answers }: ElementAnswers): NodeError | undefined {
  const [first] = answers;
  if (first?.kind !== 'error') return undefined;
  for (const answer of answers) {
    const fault = answer?.kind === 'error' ? errorFault(answer.raw) : undefined;
    if (fault === undefined || nodeFaults[fault].node !== 'counts') return undefined;
  }
  return first;
}

/** Gives back what a large answer holds. */
export function release(answer: NodeAnswer | BatchAnswer): void {
  if (answer.kind === 'buffered') answer.release();
}
