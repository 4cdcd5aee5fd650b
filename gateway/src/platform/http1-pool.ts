/** The connections of one HTTP/1.1 client: who is idle, who waits, when to dial. */
import { type ConnectionOwner, type Exchange, Http1Connection } from './http1-connection.ts';
import type { Http1Origin } from './http1-origin.ts';
import { failed, type Http1Reply } from './http1-reply.ts';
import type { WholeRequest } from './http1-request.ts';

export type PoolLimits = { readonly maxConnections: number; readonly maxWaiting: number; readonly timeoutMs: number };

export class Http1Pool implements ConnectionOwner {
  /** The last to come is the first to go, so that what a quiet time does not need grows old and is closed. */
  readonly #idle: Http1Connection[] = [];
  readonly #connections = new Set<Http1Connection>();
  readonly #waiting = new Set<Exchange>();
  #dialing = 0;
  /** One at a time after a failed dial, until one succeeds: a dead node gets no storm of attempts. */
  #mostDialing: number;
  #closed = false;

  constructor(
    private readonly origin: Http1Origin,
    private readonly limits: PoolLimits,
  ) {
    this.#mostDialing = limits.maxConnections;
  }

  post(body: string, whole?: WholeRequest, owner?: string): Promise<Http1Reply> {
    return new Promise((resolve) => {
      const { deadlines } = this.origin;
      const exchange: Exchange = {
        body,
        whole,
        owner,
        settle(reply) {
          deadlines.disarm(deadline);
          resolve(reply);
        },
        connection: undefined,
      };
      const deadline = deadlines.arm(whole?.timeoutMs ?? this.limits.timeoutMs, () => this.#expire(exchange));
      this.#submit(exchange);
    });
  }

  stats(): { open: number; idle: number; waiting: number } {
    const open = this.#connections.size - this.#dialing;
    return { open, idle: this.#idle.length, waiting: this.#waiting.size };
  }

  close(): void {
    this.#closed = true;
    this.#failWaiting('broken', 'the client was closed');
    for (const connection of [...this.#connections]) connection.close();
    this.#connections.clear();
    this.#dialing = 0;
  }

  opened(connection: Http1Connection): void {
    this.#dialing--;
    this.#mostDialing = this.limits.maxConnections;
    this.freed(connection);
  }

  freed(connection: Http1Connection): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      if (!connection.send(next)) this.#submit(next);
      return;
    }
    this.#idle.push(connection);
    connection.rest();
  }

  /** Without another connection in sight all who wait have failed; otherwise one, for one attempt. */
  dialFailed(connection: Http1Connection, detail: string): void {
    if (!this.#connections.delete(connection)) return;
    this.#dialing--;
    this.#mostDialing = 1;
    if (this.#connections.size === 0) this.#failWaiting('connect', detail);
    for (const oldest of this.#waiting) {
      this.#waiting.delete(oldest);
      oldest.settle(failed('connect', false, detail));
      break;
    }
    this.#dialForWaiting();
  }

  closed(connection: Http1Connection): void {
    this.#connections.delete(connection);
    const at = this.#idle.lastIndexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    this.#dialForWaiting();
  }

  returned(exchange: Exchange): void {
    this.#submit(exchange);
  }

  #submit(exchange: Exchange): void {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (connection.send(exchange)) return;
    }
    const unserved = this.#waiting.size - this.#dialing;
    if (this.#closed) exchange.settle(failed('broken', false, 'the client was closed'));
    else if (unserved >= this.limits.maxWaiting && !this.#mayDial()) {
      exchange.settle(failed('overloaded', false, 'the queue is full'));
    } else {
      this.#waiting.add(exchange);
      this.#dialForWaiting();
    }
  }

  #expire(exchange: Exchange): void {
    if (exchange.connection === undefined) {
      this.#waiting.delete(exchange);
      const failure = this.#dialing === this.#connections.size ? 'connect' : 'overloaded';
      exchange.settle(failed(failure, false, 'no connection in time'));
    } else exchange.connection.abort('timeout', 'no whole answer in time');
  }

  #mayDial(): boolean {
    return !this.#closed && this.#dialing < this.#mostDialing && this.#connections.size < this.limits.maxConnections;
  }

  #dialForWaiting(): void {
    while (this.#dialing < this.#waiting.size && this.#mayDial()) {
      const connection = new Http1Connection(this.origin, this);
      this.#connections.add(connection);
      this.#dialing++;
      connection.dial();
    }
  }

  #failWaiting(failure: 'connect' | 'broken', detail: string): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const exchange of waiting) exchange.settle(failed(failure, false, detail));
  }
}
