/** The WebSockets of one kind to one node: chooses the connection for a call, queues calls, and opens connections. */

import type { Deadline } from '@flowgate/async/timer-wheel';
import { Http1Shares } from '@flowgate/http1/client/http1-shares';
import type { FailedTry } from '../port/node-transport.ts';
import { CallSocket, type CallSocketOwner, type CallSocketTerms, maxInFlight } from './call-socket.ts';
import type { SocketPlace } from './proven-socket.ts';
import { failedCall, type SocketCall } from './socket-call.ts';

/** With this many calls in flight on each connection another one is opened. Fewer connections let more calls share a write; more let the node serve more calls at once. */
const spreadAt = 64;
const maxWaiting = 1_024;
/** A call is sent again this often after its connection was lost. Then it fails, and goes to another node. */
const maxLosses = 2;
/** Pause after a connection could not be opened. */
const pauseMs = 1_000;
const maxPauseMs = 60_000;

export class SocketPool implements CallSocketOwner {
  readonly #open: CallSocket[] = [];
  /** All connections that are not closed, including those that connect and those that accept no more calls. */
  readonly #all = new Set<CallSocket>();
  #dialing: CallSocket | undefined;
  readonly #waiting = new Set<SocketCall>();
  readonly #shares: Http1Shares<SocketCall>;
  /** Until when no further connection is opened. */
  #pause: Deadline | undefined;
  #closed = false;

  /** `max`: maximum connections. */
  constructor(
    private readonly place: SocketPlace,
    private readonly terms: CallSocketTerms,
    private readonly max: number,
  ) {
    const all = this.#all;
    const carriers = {
      *[Symbol.iterator]() {
        for (const socket of all) yield* socket.calls;
      },
    };
    this.#shares = new Http1Shares(carriers, this.#waiting, {
      maxConnections: max * maxInFlight,
      maxWaiting: maxWaiting,
    });
  }

  /** Settles the call exactly once. */
  carry(asked: SocketCall): void {
    const { call } = asked;
    asked.deadline = this.place.origin.timerWheel.arm(call.waitMs ?? call.timeoutMs, () => this.#expire(asked));
    this.#submit(asked);
  }

  /** Returns waiting calls that can use another node. With `drop`, connections that are open now carry no further call. */
  release(drop: boolean): void {
    const why = failedCall('released', false, 'sent away while it waited for a connection');
    for (const asked of [...this.#waiting])
      if (asked.call.canLeave === true && this.#waiting.delete(asked)) asked.fail(why);
    if (!drop) return;
    for (const socket of [...this.#all]) if (socket !== this.#dialing) socket.leave();
  }

  close(): void {
    this.#closed = true;
    this.#failWaiting(failedCall('broken', false, 'the client was closed'));
    for (const socket of [...this.#all]) socket.close();
  }

  stats(): { open: number; waiting: number } {
    return { open: this.#open.length, waiting: this.#waiting.size };
  }

  opened(socket: CallSocket): void {
    this.#dialing = undefined;
    this.#open.push(socket);
    this.#carryWaiting();
  }

  freed(): void {
    if (this.#waiting.size > 0) this.#carryWaiting();
  }

  left(socket: CallSocket): void {
    const at = this.#open.indexOf(socket);
    if (at >= 0) this.#open.splice(at, 1);
    if (this.#waiting.size > 0) this.#carryWaiting();
  }

  ended(socket: CallSocket, why: FailedTry, lost: readonly SocketCall[]): void {
    this.#all.delete(socket);
    const at = this.#open.indexOf(socket);
    if (at >= 0) this.#open.splice(at, 1);
    const wasDialing = this.#dialing === socket;
    if (wasDialing) this.#dialing = undefined;
    if (wasDialing && this.#open.length > 0) this.#rest(why.retryAfterMs ?? 0);
    else if (wasDialing) this.#failWaiting(why);
    for (const asked of lost) this.#lost(socket, asked, why);
    if (this.#waiting.size > 0) this.#carryWaiting();
  }

  /** A call that was not sent, or may be repeated, is sent again on another connection within its time. */
  #lost(socket: CallSocket, asked: SocketCall, why: FailedTry): void {
    const isUnsent = socket.isUnsent(asked);
    if (!isUnsent) asked.losses++;
    const mayGo = isUnsent || (asked.call.repeatable && asked.losses < maxLosses);
    if (mayGo && !this.#closed) this.#submit(asked);
    else asked.fail({ ...why, maybeDelivered: !isUnsent });
  }

  #submit(asked: SocketCall): void {
    if (this.#closed) {
      asked.fail(failedCall('broken', false, 'the client was closed'));
      return;
    }
    const carrying = this.#carrying;
    const mayCarry = this.#shares.mayCarry(asked, carrying);
    const socket = mayCarry && this.#waiting.size === 0 ? this.#leastLoaded() : undefined;
    if (socket !== undefined) socket.send(asked);
    else if (this.#shares.mayWait(asked, this.#waiting.size)) this.#wait(asked, mayCarry);
    else asked.fail(failedCall('overloaded', false, 'the queue is full'));
  }

  /** Opens another connection when all open ones are busy. */
  #leastLoaded(): CallSocket | undefined {
    let best: CallSocket | undefined;
    for (const socket of this.#open)
      if (socket.takesCalls && (best === undefined || socket.load < best.load)) best = socket;
    if (best === undefined || best.load >= spreadAt) this.#dialAnother();
    return best;
  }

  #wait(asked: SocketCall, mayCarry: boolean): void {
    const { signal } = asked.call;
    if (signal?.aborted === true) {
      asked.fail(failedCall('abandoned', false, 'its caller had left'));
      return;
    }
    signal?.addEventListener('abort', () => {
      if (this.#waiting.delete(asked)) asked.fail(failedCall('abandoned', false, 'its caller left'));
    });
    this.#waiting.add(asked);
    if (mayCarry || this.#open.length === 0) this.#carryWaiting();
  }

  #carryWaiting(): void {
    while (this.#waiting.size > 0) {
      const next = this.#shares.next(this.#carrying);
      const socket = next === undefined ? undefined : this.#leastLoaded();
      if (next === undefined || socket === undefined) break;
      this.#waiting.delete(next);
      socket.send(next);
    }
    if (this.#waiting.size > 0 && this.#open.length === 0) this.#dialAnother();
  }

  #dialAnother(): void {
    const isGrowth = this.#open.length > 0;
    if (this.#dialing !== undefined || this.#closed || (isGrowth && this.#pause !== undefined)) return;
    if (this.#open.length >= this.max || this.#all.size >= 2 * this.max) return;
    const socket = new CallSocket(this.place, this.terms, this);
    this.#all.add(socket);
    this.#dialing = socket;
    socket.dial();
  }

  #expire(asked: SocketCall): void {
    const { carrier, call } = asked;
    const restMs = asked.isLastDeadline ? 0 : call.timeoutMs - (call.waitMs ?? 0);
    if (carrier === undefined) {
      this.#waiting.delete(asked);
      asked.fail(failedCall(this.#open.length === 0 ? 'connect' : 'overloaded', false, 'no connection in time'));
    } else if (restMs > 0) {
      asked.isLastDeadline = true;
      asked.deadline = this.place.origin.timerWheel.arm(restMs, () => this.#expire(asked));
    } else carrier.giveUp(asked);
  }

  get #carrying(): number {
    let count = 0;
    for (const socket of this.#all) count += socket.load;
    return count;
  }

  #rest(ms: number): void {
    this.#pause ??= this.place.origin.timerWheel.arm(Math.min(maxPauseMs, Math.max(ms, pauseMs)), () => {
      this.#pause = undefined;
    });
  }

  #failWaiting(why: FailedTry): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const asked of waiting) asked.fail(why);
  }
}
