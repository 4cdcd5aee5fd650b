/** One request and the answer that its caller waits for, as passed between a client's pool and its connections. */

import type { Deadline, TimerWheel } from '@flowgate/async/timer-wheel';
import type { ByteContent } from '@flowgate/bytes/byte-content';
import {
  decodedReply,
  type EvaluatedCall,
  type Http1Call,
  type Http1Failure,
  type Http1Reply,
  type ReceivedReply,
} from './http1-call.ts';
import type { WholeRequest } from './http1-request.ts';

/** `abort` fails the exchange and closes its connection, because the answer may still arrive. */
export type Carrier = { abort(failure: Http1Failure, detail: string, exchange: Exchange): void };

export type Exchange = {
  readonly content: ByteContent;
  /** Set for a request with its own head, which is answered whole. */
  readonly whole: WholeRequest | undefined;
  readonly call: Http1Call;
  readonly settle: (reply: ReceivedReply) => void;
  /** The connection that carries it now. */
  connection: Carrier | undefined;
  wasLost?: boolean;
};

/** Classes instead of closures: one instance per call is cheaper. */
export abstract class PooledExchange implements Exchange {
  connection: Carrier | undefined;
  deadline: Deadline | undefined;
  /** Whether the armed deadline is that of the whole call, and not that of the wait for a connection. */
  isLastDeadline: boolean;
  /** Whether it was sent on a connection that closed before the answer. */
  wasLost = false;

  constructor(
    readonly content: ByteContent,
    readonly whole: WholeRequest | undefined,
    readonly call: Http1Call,
    private readonly timerWheel: TimerWheel,
  ) {
    this.isLastDeadline = call.waitMs === undefined;
  }

  settle(reply: ReceivedReply): void {
    if (this.deadline !== undefined) this.timerWheel.disarm(this.deadline);
    this.report(this.wasLost && !reply.ok ? { ...reply, sent: true } : reply);
  }

  protected abstract report(reply: ReceivedReply): void;
}

export class PlainExchange extends PooledExchange {
  constructor(
    content: ByteContent,
    whole: WholeRequest | undefined,
    call: Http1Call,
    timerWheel: TimerWheel,
    private readonly resolve: (reply: Http1Reply) => void,
  ) {
    super(content, whole, call, timerWheel);
  }

  protected report(reply: ReceivedReply): void {
    this.resolve(decodedReply(reply));
  }
}

/** An exchange that maps its reply to an outcome of its own. */
export class EvaluatedExchange<T> extends PooledExchange {
  constructor(
    content: ByteContent,
    private readonly evaluate: EvaluatedCall<T>,
    timerWheel: TimerWheel,
    private readonly resolve: (outcome: T | Promise<T>) => void,
  ) {
    super(content, undefined, evaluate, timerWheel);
  }

  protected report(reply: ReceivedReply): void {
    this.resolve(this.evaluate.outcome(reply));
  }
}
