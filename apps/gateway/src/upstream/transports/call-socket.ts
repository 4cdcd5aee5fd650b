/** A WebSocket to a node with many calls in flight under ids of the gateway; answers arrive in any order. One file, because the outcome of each call follows from the state of one connection. */

import type { ByteRange } from '@flowgate/bytes/byte-range';
import { IdleWatch } from '@flowgate/http1/client/idle-watch';
import type { LargeMessage } from '@flowgate/websocket/client/frame-reader';
import type { FailedTry } from '../port/node-transport.ts';
import { answerIdOf, idAtHead, notAnId } from '../response/answer-id.ts';
import { LargeAnswer, type LargeMessageCarrier, type LargeMessageTerms } from './large-message.ts';
import { ProvenSocket, type ProvenSocketOwner, type SocketPlace } from './proven-socket.ts';
import { type CallCarrier, failedCall, type SocketCall } from './socket-call.ts';

/** A socket's callbacks. */
export type CallSocketOwner = {
  /** The node has proved its chain: the socket accepts calls. */
  opened(socket: CallSocket): void;
  /** A slot for a call is free. */
  freed(socket: CallSocket): void;
  /** The socket accepts no more calls. */
  left(socket: CallSocket): void;
  /** The connection is closed; `lost`: the calls in flight on it. No further callback follows. */
  ended(socket: CallSocket, why: FailedTry, lost: readonly SocketCall[]): void;
};

export type CallSocketTerms = LargeMessageTerms & { readonly idleTimeoutMs: number };

/** Maximum calls in flight on one connection. */
export const maxInFlight = 128;
/** While a connection has this many unwritten bytes, it receives no further calls. */
const maxWaitingBytes = 262_144;
/** A connection with more overdue answers than this counts as dead. */
const maxGivenUp = 64;

export class CallSocket implements ProvenSocketOwner, CallCarrier, LargeMessageCarrier {
  readonly #socket: ProvenSocket;
  #state: 'dialing' | 'open' | 'leaving' | 'closed' = 'dialing';
  /** By first id. */
  readonly #calls = new Map<number, SocketCall>();
  #batches = 0;
  /** Number of ids of each overdue call, by first id. */
  readonly #givenUp = new Map<number, number>();
  /** Errors without an id, and the calls in flight when they arrived. Each belongs to one of those calls: the last one left without an answer. */
  readonly #withoutId: ByteRange[] = [];
  #suspects: Set<SocketCall> | undefined;
  #large: LargeAnswer | undefined;
  readonly #idle: IdleWatch;

  constructor(
    place: SocketPlace,
    private readonly terms: CallSocketTerms,
    private readonly owner: CallSocketOwner,
  ) {
    this.#socket = new ProvenSocket(place, this);
    this.#idle = new IdleWatch(place.origin.timerWheel, this);
  }

  /** The number of calls in flight. */
  get load(): number {
    return this.#calls.size;
  }

  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  get calls(): Iterable<SocketCall> {
    return this.#calls.values();
  }

  get takesCalls(): boolean {
    return this.#state === 'open' && this.#calls.size < maxInFlight && this.#socket.waitingBytes < maxWaitingBytes;
  }

  /** Connects and requests the chain's identity; then calls `opened` or `ended`. */
  dial(): void {
    this.#socket.dial();
  }

  /** The socket must accept calls. Calls of one turn of the event loop are written together. */
  send(asked: SocketCall): void {
    const { call } = asked;
    this.#socket.send(call);
    this.#calls.set(call.firstId, asked);
    if (call.count > 1) this.#batches++;
    asked.nth = this.#socket.sent;
    asked.carrier = this;
    this.#idle.used();
  }

  /** The call has timed out. Its answer is ignored if it still arrives. */
  giveUp(asked: SocketCall): void {
    const { firstId, count } = asked.call;
    if (this.#large?.isFor(asked) === true) this.#large.cancel();
    if (!this.take(asked)) return;
    this.#givenUp.set(firstId, count);
    if (this.#givenUp.size > maxGivenUp) this.leave();
    // A call that waits for the socket is also sent, because its bytes are queued among others.
    asked.fail(failedCall('timeout', true, 'no whole answer in time'));
    this.settled();
  }

  /** Accepts no more calls, and closes when those in flight are answered. */
  leave(): void {
    if (this.#state === 'closed' || this.#state === 'leaving') return;
    this.#state = 'leaving';
    this.owner.left(this);
    if (!this.isBusy) this.retire();
  }

  /** Closes the connection. No call may be in flight. */
  retire(): void {
    this.#end(failedCall('broken', false, 'closed by the gateway'));
  }

  /** Fails the calls in flight, and closes. */
  close(): void {
    const closed = failedCall('broken', true, 'the client was closed');
    for (const asked of this.#takeAll()) asked.fail(closed);
    this.#end(closed);
  }

  proven(): void {
    this.#state = 'open';
    this.owner.opened(this);
    this.#rest();
  }

  text(content: ByteRange): void {
    const id = answerIdOf(content);
    const asked = this.find(id);
    if (asked === undefined) {
      this.#unasked(id, content);
      return;
    }
    this.take(asked);
    if (!asked.answer(content) && asked.call.isBatch) this.stray();
    else this.settled();
  }

  large(head: ByteRange): LargeMessage {
    const id = idAtHead(head);
    const large = new LargeAnswer(this, this.terms, id);
    this.#large = large;
    if (id !== undefined && this.find(id) === undefined && this.#givenUpWith(id) === undefined) this.stray();
    return large;
  }

  /** The call is not sent again, because its answer would be the same. */
  notUtf8(content: ByteRange): void {
    const asked = this.find(idAtHead(content) ?? notAnId.unreadable);
    if (asked !== undefined && this.take(asked)) asked.fail(failedCall('malformed', true, 'not UTF-8'));
  }

  ended(why: FailedTry): void {
    this.#state = 'closed';
    this.#idle.stop();
    if (why.fault === 'malformed') this.#large?.break();
    else this.#large?.cancel();
    this.#large = undefined;
    const lost = this.#takeAll();
    this.owner.ended(this, why, lost);
  }

  find(id: number): SocketCall | undefined {
    const asked = this.#calls.get(id);
    if (asked !== undefined || this.#batches === 0) return asked;
    for (const each of this.#calls.values()) if (isOf(id, each.call.firstId, each.call.count)) return each;
    return undefined;
  }

  take(asked: SocketCall): boolean {
    if (!this.#calls.delete(asked.call.firstId)) return false;
    if (asked.call.count > 1) this.#batches--;
    asked.carrier = undefined;
    return true;
  }

  /** Whether no byte of this call, which is in flight on it, was written. */
  isUnsent(asked: SocketCall): boolean {
    return asked.nth > this.#socket.written;
  }

  skipped(id: number | undefined): void {
    const firstId = id === undefined ? undefined : this.#givenUpWith(id);
    if (firstId === undefined) this.stray();
    else this.#givenUp.delete(firstId);
  }

  stray(): void {
    this.#end(failedCall('unusable', false, 'answered a question that was not asked'));
  }

  /** Handles a message whose id belongs to no call in flight. */
  #unasked(id: number, content: ByteRange): void {
    if (id === notAnId.notification) return;
    if (id !== notAnId.withoutId || this.#calls.size === 0) {
      this.skipped(id);
      return;
    }
    // The error may belong to one of the calls in flight.
    if (this.#givenUp.size > 0) return;
    this.#withoutId.push(content);
    this.#suspects ??= new Set();
    for (const asked of this.#calls.values()) this.#suspects.add(asked);
    this.settled();
  }

  /** Removes a call from those in flight. */
  settled(): void {
    if (this.#state === 'closed') return;
    if (this.#suspects !== undefined) this.#blame(this.#suspects);
    if (this.#state === 'open') this.owner.freed(this);
    this.#rest();
  }

  /** If as many calls are left as errors without an id arrived, the errors belong to them. */
  #blame(suspects: Set<SocketCall>): void {
    for (const asked of suspects) if (asked.carrier !== this) suspects.delete(asked);
    if (suspects.size > this.#withoutId.length) return;
    for (const asked of suspects) {
      const content = this.#withoutId.pop();
      if (content !== undefined && this.take(asked)) asked.answer(content);
    }
    this.#suspects = undefined;
    this.#withoutId.length = 0;
  }

  #rest(): void {
    if (this.isBusy || this.#state === 'closed') return;
    if (this.#state === 'leaving') this.retire();
    else this.#idle.rest(this.terms.idleTimeoutMs, undefined);
  }

  #givenUpWith(id: number): number | undefined {
    for (const [firstId, count] of this.#givenUp) if (isOf(id, firstId, count)) return firstId;
    return undefined;
  }

  #takeAll(): readonly SocketCall[] {
    const all = [...this.#calls.values()];
    this.#calls.clear();
    this.#batches = 0;
    for (const asked of all) asked.carrier = undefined;
    return all;
  }

  #end(why: FailedTry): void {
    if (this.#state === 'closed') return;
    this.#socket.close();
    this.ended(why);
  }
}

function isOf(id: number, firstId: number, count: number): boolean {
  return id >= firstId && id < firstId + count;
}
