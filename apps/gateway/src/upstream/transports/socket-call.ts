/** One try over a WebSocket: its state on a connection and in a pool, and the reply to its caller. */

import type { Deadline, TimerWheel } from '@flowgate/async/timer-wheel';
import type { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { ByteRange } from '@flowgate/bytes/byte-range';
import type { ReceivedReply } from '@flowgate/http1/client/http1-call';
import type { NodeFault } from '../port/node-faults.ts';
import type { BatchAnswer, NodeAnswer } from '../port/node-port.ts';
import type { FailedTry, TryReply } from '../port/node-transport.ts';
import { failedBy, type HttpTry } from './http-try.ts';

/** The connection of a call in flight. */
export type CallCarrier = { giveUp(call: SocketCall): void };

/** The terms of a call and its request's content. */
type Asked = Pick<
  HttpTry<NodeAnswer>,
  | ('firstId' | 'count' | 'isBatch' | 'repeatable' | 'timeoutMs' | 'waitMs' | 'canLeave' | 'signal' | 'owner')
  | ('length' | 'writeTo')
>;

/** A call without the type of its answer. */
export type SocketCall = {
  readonly call: Asked;
  /** The user, for fair shares. */
  readonly caller: string | undefined;
  carrier: CallCarrier | undefined;
  /** Its number among the messages of its connection, from 1. */
  nth: number;
  deadline: Deadline | undefined;
  /** Whether the armed deadline is that of the whole call, not of the wait for a connection. */
  isLastDeadline: boolean;
  /** How often it lost the connection on which it was sent. */
  losses: number;
  /** Settles the call with a message under its id. Returns whether each element of the message belongs to this call. */
  answer(content: ByteRange): boolean;
  /** Settles the call with a large message, which is parsed later in time slices, and released. */
  answerBuffered(buffer: BudgetedBuffer): void;
  fail(why: FailedTry): void;
};

const nothing = new ByteRange(new Uint8Array(0), 0, 0);

/** A class, because closures for each call cost more. */
export class AskedCall<Answer extends NodeAnswer | BatchAnswer> implements SocketCall {
  carrier: CallCarrier | undefined;
  nth = 0;
  deadline: Deadline | undefined;
  isLastDeadline: boolean;
  losses = 0;

  constructor(
    readonly call: HttpTry<Answer>,
    private readonly timerWheel: TimerWheel,
    private readonly resolve: (reply: TryReply<Answer> | Promise<TryReply<Answer>>) => void,
  ) {
    this.isLastDeadline = call.waitMs === undefined;
  }

  get caller(): string | undefined {
    return this.call.owner;
  }

  answer(content: ByteRange): boolean {
    const fits = this.call.accepts(200, content);
    this.#report({ ok: true, status: 200, content });
    return fits;
  }

  answerBuffered(buffer: BudgetedBuffer): void {
    this.#report({ ok: true, status: 200, content: nothing, buffered: buffer });
  }

  fail(why: FailedTry): void {
    this.#disarm();
    this.resolve(this.losses > 0 ? { ...why, maybeDelivered: true } : why);
  }

  #report(reply: ReceivedReply): void {
    this.#disarm();
    this.resolve(this.call.outcome(reply));
  }

  #disarm(): void {
    if (this.deadline !== undefined) this.timerWheel.disarm(this.deadline);
  }
}

/** A try without an answer. */
export function failedCall(fault: NodeFault, maybeDelivered: boolean, detail: string): FailedTry {
  return failedBy(fault, maybeDelivered, detail, {});
}
