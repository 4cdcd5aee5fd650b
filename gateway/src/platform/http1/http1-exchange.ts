/** One request and the one answer that its caller waits for, as a client's pool and its connections hand it to each other. */
import type { Deadline, TimerWheel } from '../timer-wheel.ts';
import type { Http1Call, Http1Failure, Http1Reply, JudgedCall } from './http1-call.ts';
import type { WholeRequest } from './http1-request.ts';

/** `abort` ends the exchange, and the connection with it: its answer may still be on the way. */
export type Carrier = { abort(failure: Http1Failure, detail: string, exchange: Exchange): void };

export type Exchange = {
  readonly body: string;
  /** For a request with a head of its own, answered whole. */
  readonly whole: WholeRequest | undefined;
  readonly call: Http1Call;
  readonly settle: (reply: Http1Reply) => void;
  /** What carries it now. */
  connection: Carrier | undefined;
  wasLost?: boolean;
};

/** Classes and not closures: there is one for every call. */
export abstract class PooledExchange implements Exchange {
  connection: Carrier | undefined;
  deadline: Deadline | undefined;
  /** Whether what is armed is the end of the whole call, and no longer of its wait. */
  isLastDeadline: boolean;
  /** Whether bytes of it left on a connection that was given up. */
  wasLost = false;

  constructor(
    readonly body: string,
    readonly whole: WholeRequest | undefined,
    readonly call: Http1Call,
    private readonly timerWheel: TimerWheel,
  ) {
    this.isLastDeadline = call.waitMs === undefined;
  }

  settle(reply: Http1Reply): void {
    if (this.deadline !== undefined) this.timerWheel.disarm(this.deadline);
    this.tell(this.wasLost && !reply.ok ? { ...reply, sent: true } : reply);
  }

  protected abstract tell(reply: Http1Reply): void;
}

export class PlainExchange extends PooledExchange {
  constructor(
    body: string,
    whole: WholeRequest | undefined,
    call: Http1Call,
    timerWheel: TimerWheel,
    private readonly resolve: (reply: Http1Reply) => void,
  ) {
    super(body, whole, call, timerWheel);
  }

  protected tell(reply: Http1Reply): void {
    this.resolve(reply);
  }
}

/** Of a call that makes an outcome of its own of the reply. */
export class JudgedExchange<T> extends PooledExchange {
  constructor(
    body: string,
    private readonly judge: JudgedCall<T>,
    timerWheel: TimerWheel,
    private readonly resolve: (outcome: T | Promise<T>) => void,
  ) {
    super(body, undefined, judge, timerWheel);
  }

  protected tell(reply: Http1Reply): void {
    this.resolve(this.judge.outcome(reply));
  }
}
