/**
 * One connection of an HTTP/1.1 client with several requests in flight, which are answered in the order in which they were sent (RFC 9112 9.3.2; docs/decisions/0067).
 *
 * Over 250 lines: it is one state machine. Writer, idle watch and reply are files of their own.
 */

import { PacedInput } from '@flowgate/async/paced-input';
import type { Deadline } from '@flowgate/async/timer-wheel';
import { workUnits } from '@flowgate/async/turn-budget';
import { TextContent } from '@flowgate/bytes/byte-content';
import type { Socket } from 'bun';
import { failed, type Http1Failure, type PipelineTrial } from '../http1-call.ts';
import { dial } from '../http1-dial.ts';
import type { Carrier, Exchange } from '../http1-exchange.ts';
import type { Http1Origin } from '../http1-origin.ts';
import { replyOf } from '../http1-reply.ts';
import { type ReadResult, ResponseReader } from '../http1-response-reader.ts';
import { IdleWatch } from '../idle-watch.ts';
import { RequestWriter } from '../request-writer.ts';

/**
 * Why a pipeline ended.
 * - `unfit`: the connection failed, or its greeting was answered wrongly; this says nothing about pipelining.
 * - `no-pipelining`: the further questions of the trial were not answered correctly.
 * - `out-of-step`: bytes arrived that are not the answer to the oldest call in flight.
 * - `cut`: the server closed the connection.
 * - `quiet`: the connection was idle, or this side closed it.
 */
export type PipelineEnd = 'unfit' | 'no-pipelining' | 'out-of-step' | 'cut' | 'quiet';

/** A pipeline's callbacks. It does nothing after calling one. */
export type PipelineOwner = {
  /** The trial has passed. */
  opened(pipeline: Http1Pipeline): void;
  /** The connection is gone. `lost`: the calls in flight, oldest first, none of them settled. */
  ended(pipeline: Http1Pipeline, why: PipelineEnd, lost: readonly Exchange[]): void;
};

const closingMs = 2_000;

export class Http1Pipeline implements Carrier {
  /** The number of calls that it has answered. */
  answered = 0;
  #answeredAtLook = 0;
  #wasBusyAtLook = false;
  #state: 'dialing' | 'trying' | 'open' | 'leaving' | 'left' | 'closed' = 'dialing';
  #socket: Socket<undefined> | undefined;
  /** Calls that are sent or about to be, and not answered; oldest first. */
  readonly #queue: Exchange[] = [];
  readonly #writer: RequestWriter;
  #triedAnswers = 0;
  /** The deadline for connecting and the trial. */
  #deadline: Deadline | undefined;
  readonly #idle: IdleWatch;
  readonly #reader: ResponseReader;
  readonly #input: PacedInput;

  constructor(
    private readonly origin: Http1Origin,
    private readonly trial: PipelineTrial,
    private readonly owner: PipelineOwner,
  ) {
    this.#reader = new ResponseReader(origin.maxResponseBytes, origin.answerBudget, origin.turns);
    this.#input = new PacedInput(origin.turns, (piece, from) => this.#receive(piece, from));
    this.#idle = new IdleWatch(origin.timerWheel, this);
    this.#writer = new RequestWriter(origin.head);
  }

  /** The number of calls in flight. */
  get load(): number {
    return this.#queue.length;
  }

  get isBusy(): boolean {
    return this.#queue.length > 0;
  }

  loadOf(owner: string): number {
    let count = 0;
    for (const { call } of this.#queue) if (call.owner === owner) count++;
    return count;
  }

  /** Connects and runs the trial, both under a deadline; then calls `opened` or `ended`. */
  dial(): void {
    const { connectTimeoutMs, timerWheel } = this.origin;
    this.#deadline = timerWheel.arm(connectTimeoutMs, () => this.#giveUp('unfit'));
    dial(this.origin, {
      connected: (socket) => this.#connected(socket),
      opened: () => this.#try(),
      failed: () => this.#giveUp('unfit'),
      received: (piece) => this.#input.push(piece),
      drained: () => this.#drained(),
      ended: () => this.#input.after(() => this.#ended()),
      lost: () => this.#input.after(() => this.#cut()),
    });
  }

  /** Requires an open pipeline. The request is written with the next `flush`. */
  send(exchange: Exchange): void {
    this.#writer.add(exchange.content);
    if (this.#queue.push(exchange) === 1) this.#reader.countFor(exchange.call.owner);
    exchange.connection = this;
    this.#idle.used();
  }

  /** Writes all requests added since the last flush at once. */
  flush(): void {
    if (!this.#writer.flush(this.#socket)) this.#cut();
  }

  /** Whether its oldest call was already in flight at the previous check and other calls wait behind it. */
  isStuck(): boolean {
    const isStuck = this.#wasBusyAtLook && this.answered === this.#answeredAtLook && this.#queue.length > 1;
    this.#answeredAtLook = this.answered;
    this.#wasBusyAtLook = this.isBusy;
    return isStuck && this.#state === 'open' && this.#writer.isEmpty;
  }

  /**
   * Returns the calls behind the oldest one and accepts no more. Closes after the answer to the oldest one, before the
   * server begins with the next call.
   */
  leaveOldest(): readonly Exchange[] {
    this.#state = 'left';
    const behind = this.#queue.splice(1);
    for (const exchange of behind) exchange.connection = undefined;
    return behind;
  }

  /**
   * Fails one call. The other calls in flight are returned to the owner, because the answer to the failed call is still
   * to come.
   */
  abort(failure: Http1Failure, detail: string, exchange: Exchange): void {
    const at = this.#queue.indexOf(exchange);
    if (at < 0) return;
    this.#queue.splice(at, 1);
    exchange.connection = undefined;
    this.#giveUp('quiet');
    exchange.settle(failed(failure, true, detail));
  }

  /** Accepts no more calls, and closes when those in flight are answered. */
  leave(): void {
    if (this.#state === 'open' && this.#queue.length > 0) this.#state = 'leaving';
    else if (this.#state !== 'leaving') this.retire();
  }

  /** Closes with a FIN, so that the server logs no reset. Requires that no call is in flight. */
  retire(): void {
    const socket = this.#state === 'closed' ? undefined : this.#socket;
    this.#socket = undefined;
    this.#giveUp('quiet');
    socket?.end();
    if (socket !== undefined) this.origin.timerWheel.arm(closingMs, () => socket.terminate());
  }

  /** Fails the calls in flight, and closes. */
  close(): void {
    for (const exchange of this.#queue.splice(0)) {
      exchange.connection = undefined;
      exchange.settle(failed('broken', true, 'the client was closed'));
    }
    this.#giveUp('quiet');
  }

  #connected(socket: Socket<undefined>): void {
    this.#socket = socket;
    if (this.#state === 'closed') socket.terminate();
    else this.#input.connected(socket);
  }

  /** Sends all questions of the trial at once. */
  #try(): void {
    if (this.#state !== 'dialing') return;
    this.#state = 'trying';
    this.#disarm();
    this.#deadline = this.origin.timerWheel.arm(this.trial.timeoutMs, () => this.#trialFailed());
    for (const { body } of this.trial.questions) this.#writer.add(new TextContent(body));
    this.flush();
  }

  #tried(): void {
    const { status, body, reusable } = this.#reader;
    const isRight = this.trial.questions[this.#triedAnswers]?.isAnswer(status, body) === true;
    this.#reader.reset();
    if (isRight) this.#triedAnswers++;
    if (!isRight || !reusable) {
      this.#trialFailed();
      return;
    }
    if (this.#triedAnswers < this.trial.questions.length) return;
    this.#state = 'open';
    this.#disarm();
    this.owner.opened(this);
    if (this.#queue.length === 0) this.#rest();
  }

  #trialFailed(): void {
    this.#giveUp(this.#triedAnswers === 0 ? 'unfit' : 'no-pipelining');
  }

  /** Returns the index at which its share of the turn ended, or the piece's length. */
  #receive(piece: Uint8Array, from: number): number {
    for (let at = from; at < piece.length && this.#state !== 'closed'; ) {
      if (!this.#isAnythingAsked()) {
        this.#giveUp('quiet');
        break;
      }
      const result = this.#reader.push(piece, at);
      at = this.#reader.usedTo;
      if (result === 'more') return at;
      if (result === 'done') this.#answer();
      else this.#unread(result);
      if (!this.origin.turns.spend(workUnits.message)) return at;
    }
    return piece.length;
  }

  #isAnythingAsked(): boolean {
    return this.#state === 'trying' || this.#queue.length > this.#writer.gathered;
  }

  /** The response to the oldest call is complete. */
  #answer(): void {
    if (this.#state === 'trying') {
      this.#tried();
      return;
    }
    const reader = this.#reader;
    const [exchange] = this.#queue;
    if (exchange === undefined) {
      this.#giveUp('quiet');
      return;
    }
    const { status, reusable, keepAliveMs } = reader;
    const fits = reader.isBuffered || (exchange.call.accepts?.(status, reader.content) ?? true);
    // An answer with another status comes from an intermediary, and still belongs to this call.
    if (!fits && status === 200) {
      this.#giveUp(exchange.call.isRefusal?.(reader.content) === true ? 'quiet' : 'out-of-step');
      return;
    }
    this.#queue.shift();
    this.answered++;
    exchange.connection = undefined;
    const reply = replyOf(reader, reader.isBuffered ? reader.takeBuffered() : undefined);
    reader.reset();
    reader.countFor(this.#queue[0]?.call.owner);
    if (!reusable) this.#giveUp('cut');
    else if (!fits) this.#giveUp('quiet');
    else if (this.#queue.length === 0) this.#rest(keepAliveMs);
    exchange.settle(reply);
  }

  /** The response to the oldest call is not readable. */
  #unread(result: Exclude<ReadResult, 'more' | 'done'>): void {
    if (this.#state === 'trying') {
      this.#trialFailed();
      return;
    }
    if (result === 'malformed') {
      this.#giveUp('out-of-step');
      return;
    }
    const exchange = this.#queue.shift();
    const { status, detail } = this.#reader;
    if (exchange !== undefined) exchange.connection = undefined;
    this.#giveUp('quiet');
    const reply = failed(result, true, detail);
    exchange?.settle(result === 'too-large' ? { ...reply, status } : reply);
  }

  #rest(keepAliveMs?: number): void {
    if (this.#state === 'leaving') this.retire();
    else if (this.#state === 'left') this.#giveUp('quiet');
    else if (this.#state === 'open') this.#idle.rest(this.origin.idleTimeoutMs, keepAliveMs);
  }

  #drained(): void {
    if (!this.#writer.drained(this.#socket)) this.#cut();
  }

  /** The server has sent everything. */
  #ended(): void {
    if (this.#isAnythingAsked() && this.#reader.end() === 'done') this.#answer();
    this.#cut();
  }

  #cut(): void {
    if (this.#state === 'trying') this.#trialFailed();
    else this.#giveUp(this.#state === 'dialing' ? 'unfit' : 'cut');
  }

  #giveUp(why: PipelineEnd): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#disarm();
    this.#idle.stop();
    this.#writer.clear();
    this.#input.close();
    this.#reader.reset();
    this.#socket?.terminate();
    const lost = this.#queue.splice(0);
    for (const exchange of lost) exchange.connection = undefined;
    this.owner.ended(this, why, lost);
  }

  #disarm(): void {
    if (this.#deadline !== undefined) this.origin.timerWheel.disarm(this.#deadline);
    this.#deadline = undefined;
  }
}
