/** One connection of an HTTP/1.1 client that carries several requests at once: they are answered in the order in which they were sent (RFC 9112 9.3.2; docs/decisions/0067). */
import type { Socket } from 'bun';
import type { Deadline } from '../timer-wheel.ts';
import { failed, type Http1Failure, type PipelineTrial } from './http1-call.ts';
import { dial } from './http1-dial.ts';
import type { Carrier, Exchange } from './http1-exchange.ts';
import { IdleWatch } from './http1-idle-watch.ts';
import type { Http1Origin } from './http1-origin.ts';
import { type ReadResult, ResponseReader } from './http1-reader.ts';
import { replyOf } from './http1-reply.ts';
import { RequestWriter } from './http1-request-writer.ts';

/**
 * Why a pipeline ended.
 * - `unfit`: no connection, or a wrong answer to the first question; pipelining has no part in that.
 * - `no-pipelining`: the further questions of the trial were not answered as they have to be.
 * - `out-of-step`: something came that is not the answer to the oldest call under way.
 * - `cut`: the server ended it.
 * - `quiet`: it was at rest, or this side ended it.
 */
export type PipelineEnd = 'unfit' | 'no-pipelining' | 'out-of-step' | 'cut' | 'quiet';

/** What is heard from a pipeline; each call is the last thing that it does in a callback. */
export type PipelineOwner = {
  /** It has passed its trial. */
  opened(pipeline: Http1Pipeline): void;
  /** It is gone. `lost`: the calls that were under way, oldest first, none of them settled. */
  ended(pipeline: Http1Pipeline, why: PipelineEnd, lost: readonly Exchange[]): void;
};

const closingMs = 2_000;

export class Http1Pipeline implements Carrier {
  /** Answers that it has given to calls. */
  answered = 0;
  #answeredAtLook = 0;
  #wasBusyAtLook = false;
  #state: 'dialing' | 'trying' | 'open' | 'leaving' | 'left' | 'closed' = 'dialing';
  #socket: Socket<undefined> | undefined;
  /** Sent or about to be, and not answered; the oldest first. */
  readonly #queue: Exchange[] = [];
  readonly #writer: RequestWriter;
  #triedAnswers = 0;
  /** Of dialling and the trial. */
  #deadline: Deadline | undefined;
  readonly #idle: IdleWatch;
  readonly #reader: ResponseReader;

  constructor(
    private readonly origin: Http1Origin,
    private readonly trial: PipelineTrial,
    private readonly owner: PipelineOwner,
  ) {
    this.#reader = new ResponseReader(origin.maxResponseBytes, origin.answerBudget);
    this.#idle = new IdleWatch(origin.timerWheel, this);
    this.#writer = new RequestWriter(origin.head);
  }

  /** Calls under way. */
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

  /** Ends in `opened` or `ended`, in time. */
  dial(): void {
    const { connectTimeoutMs, timerWheel } = this.origin;
    this.#deadline = timerWheel.arm(connectTimeoutMs, () => this.#giveUp('unfit'));
    dial(this.origin, {
      connected: (socket) => this.#connected(socket),
      opened: () => this.#try(),
      failed: () => this.#giveUp('unfit'),
      received: (piece) => this.#receive(piece),
      drained: () => this.#drained(),
      ended: () => this.#ended(),
      lost: () => this.#cut(),
    });
  }

  /** Only for an open one: the request goes out with the next `flush`. */
  send(exchange: Exchange): void {
    this.#writer.add(exchange.body);
    if (this.#queue.push(exchange) === 1) this.#reader.countFor(exchange.call.owner);
    exchange.connection = this;
    this.#idle.used();
  }

  /** Hands the requests since the last time to the socket, all in one write. */
  flush(): void {
    if (!this.#writer.flush(this.#socket)) this.#cut();
  }

  /** Whether its oldest call was under way when this was asked before, and others wait behind it that could go elsewhere. */
  isStuck(): boolean {
    const isStuck = this.#wasBusyAtLook && this.answered === this.#answeredAtLook && this.#queue.length > 1;
    this.#answeredAtLook = this.answered;
    this.#wasBusyAtLook = this.isBusy;
    return isStuck && this.#state === 'open' && this.#writer.isEmpty;
  }

  /** Hands back the calls behind the oldest one, carries no further one, and ends with the oldest one's answer, before the server begins with the next. */
  leaveOldest(): readonly Exchange[] {
    this.#state = 'left';
    const behind = this.#queue.splice(1);
    for (const exchange of behind) exchange.connection = undefined;
    return behind;
  }

  /** Fails one call; what is under way with it is handed back, since the answer that it does not wait for is still to come. */
  abort(failure: Http1Failure, detail: string, exchange: Exchange): void {
    const at = this.#queue.indexOf(exchange);
    if (at < 0) return;
    this.#queue.splice(at, 1);
    exchange.connection = undefined;
    this.#giveUp('quiet');
    exchange.settle(failed(failure, true, detail));
  }

  /** Carries no further call, and ends when those under way are answered. */
  leave(): void {
    if (this.#state === 'open' && this.#queue.length > 0) this.#state = 'leaving';
    else if (this.#state !== 'leaving') this.retire();
  }

  /** Ends politely, so that the server logs no reset. Only without calls under way. */
  retire(): void {
    const socket = this.#state === 'closed' ? undefined : this.#socket;
    this.#socket = undefined;
    this.#giveUp('quiet');
    socket?.end();
    if (socket !== undefined) this.origin.timerWheel.arm(closingMs, () => socket.terminate());
  }

  /** Fails what is under way, and ends. */
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
  }

  /** Asks everything of the trial at once. */
  #try(): void {
    if (this.#state !== 'dialing') return;
    this.#state = 'trying';
    this.#disarm();
    this.#deadline = this.origin.timerWheel.arm(this.trial.timeoutMs, () => this.#trialFailed());
    for (const { body } of this.trial.questions) this.#writer.add(body);
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

  #receive(piece: Uint8Array): void {
    for (let at = 0; at < piece.length && this.#state !== 'closed'; at = this.#reader.usedTo) {
      if (!this.#isAnythingAsked()) {
        this.#giveUp('quiet');
        return;
      }
      const result = this.#reader.push(piece, at);
      if (result === 'more') return;
      if (result === 'done') this.#answer();
      else this.#unread(result);
    }
  }

  #isAnythingAsked(): boolean {
    return this.#state === 'trying' || this.#queue.length > this.#writer.gathered;
  }

  /** The response to the oldest call is whole. */
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
    const fits = reader.isHeld || (exchange.call.accepts?.(status, reader.body) ?? true);
    // With another status it is what stands between that answers, and speaks of this call all the same.
    if (!fits && status === 200) {
      this.#giveUp(exchange.call.isRefusal?.(reader.body) === true ? 'quiet' : 'out-of-step');
      return;
    }
    this.#queue.shift();
    this.answered++;
    exchange.connection = undefined;
    const reply = replyOf(reader, reader.isHeld ? reader.takeHeld() : undefined);
    reader.reset();
    reader.countFor(this.#queue[0]?.call.owner);
    if (!reusable) this.#giveUp('cut');
    else if (!fits) this.#giveUp('quiet');
    else if (this.#queue.length === 0) this.#rest(keepAliveMs);
    exchange.settle(reply);
  }

  /** The response to the oldest call cannot be read. */
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
