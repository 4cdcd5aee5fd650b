/** One connection of an HTTP/1.1 client: it connects, carries one exchange at a time, and ends. */

import { PacedInput } from '@flowgate/async/paced-input';
import type { Deadline } from '@flowgate/async/timer-wheel';
import { bytesOf } from '@flowgate/bytes/byte-content';
import type { Socket } from 'bun';
import { failed, type Http1Failure } from './http1-call.ts';
import { dial } from './http1-dial.ts';
import type { Carrier, Exchange } from './http1-exchange.ts';
import type { Http1Origin } from './http1-origin.ts';
import { replyOf } from './http1-reply.ts';
import { ResponseReader } from './http1-response-reader.ts';
import { IdleWatch } from './idle-watch.ts';

/** The pool's callbacks. A connection does nothing after calling one, so that the pool may reuse or close it there. */
export type ConnectionOwner = {
  /** Connected and verified: ready for its first exchange. */
  opened(connection: Http1Connection): void;
  dialFailed(connection: Http1Connection, detail: string): void;
  /** Its exchange has settled and the connection can be reused. */
  freed(connection: Http1Connection): void;
  /** An opened connection is gone. */
  closed(connection: Http1Connection): void;
  /**
   * A reused connection closed before it accepted a single byte of the request. The pool may send the exchange again as
   * a new one.
   */
  returned(exchange: Exchange): void;
};

/** In bytes. Longer content gets a buffer of its own. */
const largeContent = 32_768;
const closingMs = 2_000;

export class Http1Connection implements Carrier {
  #state: 'dialing' | 'free' | 'busy' | 'closed' = 'dialing';
  #socket: Socket<undefined> | undefined;
  #exchange: Exchange | undefined;
  /** The part of the request that the socket has not accepted yet. */
  #unsent: Uint8Array | undefined;
  #sentAny = false;
  #used = false;
  /** The deadline for connecting. */
  #deadline: Deadline | undefined;
  readonly #idle: IdleWatch;
  readonly #reader: ResponseReader;
  readonly #input: PacedInput;

  constructor(
    private readonly origin: Http1Origin,
    private readonly owner: ConnectionOwner,
  ) {
    this.#reader = new ResponseReader(origin.maxResponseBytes, origin.answerBudget, origin.turns);
    this.#input = new PacedInput(origin.turns, (piece, from) => this.#receive(piece, from));
    this.#idle = new IdleWatch(origin.timerWheel, this);
  }

  get isBusy(): boolean {
    return this.#state === 'busy';
  }

  /** The owner of the call that it carries; undefined when it carries none, or one of the gateway's own. */
  get caller(): string | undefined {
    return this.#exchange?.call.owner;
  }

  /** Connects; calls `opened`, or `dialFailed` at the connect time-out at the latest. */
  dial(): void {
    const { connectTimeoutMs, timerWheel } = this.origin;
    this.#deadline = timerWheel.arm(connectTimeoutMs, () => this.#dialFailed('timed out'));
    dial(this.origin, {
      connected: (socket) => this.#connected(socket),
      opened: () => this.#opened(),
      failed: (detail) => this.#dialFailed(detail),
      received: (piece) => this.#input.push(piece),
      drained: () => this.#flush(),
      ended: () => this.#input.after(() => this.#ended()),
      lost: (detail) => this.#input.after(() => this.#lost(detail)),
    });
  }

  /**
   * Writes the request. Returns false when the connection accepted nothing: it was closed, or unrequested bytes wait to
   * be read, which closes it. A new connection fails the exchange instead, so that a server that accepts and closes
   * cannot make the client reconnect endlessly.
   */
  send(exchange: Exchange): boolean {
    const socket = this.#socket;
    if (this.#state !== 'free' || socket === undefined || !this.#input.isEmpty) return false;
    this.#idle.used();
    this.#reader.countFor(exchange.call.owner);
    if (exchange.whole !== undefined) this.#reader.readWhole(exchange.whole.maxBytes);
    const written = this.#write(socket, exchange);
    if (written < 0) {
      if (!this.#used) exchange.settle(failed('broken', false, 'closed as soon as it was opened'));
      const taken = !this.#used;
      this.#close();
      return taken;
    }
    this.#state = 'busy';
    this.#exchange = exchange;
    exchange.connection = this;
    this.#sentAny = written > 0;
    return true;
  }

  /** Stores the bytes that the socket did not accept. */
  #write(socket: Socket<undefined>, { content, whole }: Exchange): number {
    if (whole !== undefined || content.length > largeContent) {
      const head = whole?.head ?? `${this.origin.head}${content.length}\r\n\r\n`;
      const bytes = bytesOf(content, head);
      const written = socket.write(bytes);
      if (written >= 0 && written < bytes.length) this.#unsent = bytes.subarray(written);
      return written;
    }
    const { requests } = this.origin;
    requests.clear();
    requests.add(content);
    const { length } = requests;
    const written = socket.write(requests.all, 0, length);
    if (written >= 0 && written < length) this.#unsent = requests.rest(written);
    return written;
  }

  /** Fails the exchange in flight and closes the connection, because its answer may still arrive. */
  abort(failure: Http1Failure, detail: string): void {
    this.#fail(failure, detail);
  }

  /** Leaves the connection idle for the next exchange, for as long as both sides allow. */
  rest(): void {
    this.#idle.rest(this.origin.idleTimeoutMs, this.#reader.keepAliveMs);
  }

  #connected(socket: Socket<undefined>): void {
    this.#socket = socket;
    if (this.#state === 'closed') socket.terminate();
    else this.#input.connected(socket);
  }

  #opened(): void {
    if (this.#state !== 'dialing') return;
    this.#disarm();
    this.#state = 'free';
    this.owner.opened(this);
  }

  #dialFailed(detail: string): void {
    if (this.#state !== 'dialing') return;
    this.#close();
    this.owner.dialFailed(this, detail);
  }

  #receive(piece: Uint8Array, from: number): number {
    if (this.#state !== 'busy') {
      // Unrequested bytes must not become the answer to the next request.
      this.#close();
      return piece.length;
    }
    const reader = this.#reader;
    const result = reader.push(piece, from);
    if (result === 'more') return reader.usedTo;
    if (result === 'done') this.#answer(reader.usedTo === piece.length && this.#input.isEmpty);
    else this.#fail(result, reader.detail);
    return piece.length;
  }

  #ended(): void {
    if (this.#state === 'busy') {
      const result = this.#reader.end();
      if (result === 'done') this.#answer(true);
      else if (result !== 'more') this.#fail(result, this.#reader.detail);
    }
    this.#lost('closed by the server');
  }

  /** `isWhole`: no bytes followed the answer. */
  #answer(isWhole: boolean): void {
    const exchange = this.#release();
    const reader = this.#reader;
    const buffered = reader.isBuffered && exchange !== undefined ? reader.takeBuffered() : undefined;
    const reply = replyOf(reader, buffered);
    const fits = buffered !== undefined || (exchange?.call.accepts?.(reader.status, reader.content) ?? true);
    const closes = exchange?.whole?.closes === true;
    const clean = isWhole && fits && reader.reusable && !closes && this.#unsent === undefined;
    reader.reset();
    exchange?.settle(reply);
    if (clean) {
      this.#used = true;
      this.owner.freed(this);
    } else this.#close();
  }

  #flush(): void {
    const unsent = this.#unsent;
    if (this.#state !== 'busy' || unsent === undefined) return;
    // Offset and length are omitted: given an offset alone, Bun 1.4.5 assumes the length of the whole array and throws.
    const written = this.#socket?.write(unsent) ?? -1;
    if (written > 0) this.#sentAny = true;
    if (written < 0) this.#lost('closed while writing');
    else this.#unsent = written < unsent.length ? unsent.subarray(written) : undefined;
  }

  #lost(detail: string): void {
    if (this.#state === 'dialing') this.#dialFailed(detail);
    else if (this.#state === 'busy' && this.#used && !this.#sentAny) {
      const exchange = this.#release();
      this.#close();
      if (exchange !== undefined) this.owner.returned(exchange);
    } else if (this.#state === 'busy') this.#fail('broken', detail);
    else this.#close();
  }

  #fail(failure: Http1Failure, detail: string): void {
    const exchange = this.#release();
    const reply = failed(failure, this.#sentAny, detail);
    exchange?.settle(failure === 'too-large' ? { ...reply, status: this.#reader.status } : reply);
    this.#close();
  }

  #release(): Exchange | undefined {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    if (this.#state === 'busy') this.#state = 'free';
    if (exchange !== undefined) exchange.connection = undefined;
    return exchange;
  }

  /** Closes an idle connection with a FIN, so that the server logs no reset. Notifies the owner at once. */
  retire(): void {
    if (this.#state !== 'free') return;
    const socket = this.#socket;
    this.#socket = undefined;
    this.#close();
    socket?.end();
    this.origin.timerWheel.arm(closingMs, () => socket?.terminate());
  }

  /** Closes the connection in any state; idempotent. */
  close(): void {
    if (this.#state === 'busy') this.#fail('broken', 'the client was closed');
    else this.#close();
  }

  #close(): void {
    if (this.#state === 'closed') return;
    const wasOpen = this.#state !== 'dialing';
    this.#state = 'closed';
    this.#disarm();
    this.#idle.stop();
    this.#unsent = undefined;
    this.#input.close();
    this.#reader.reset();
    this.#socket?.terminate();
    if (wasOpen) this.owner.closed(this);
  }

  #disarm(): void {
    if (this.#deadline !== undefined) this.origin.timerWheel.disarm(this.#deadline);
    this.#deadline = undefined;
  }
}
