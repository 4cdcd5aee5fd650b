/** The connection pool of one HTTP/1.1 client: idle connections, waiting calls, and when to open new connections. */
import { TextContent } from '@flowgate/bytes/byte-content';
import { failed, type Greeting, type Http1Failure, type Pipelining } from './http1-call.ts';
import { type ConnectionOwner, Http1Connection } from './http1-connection.ts';
import type { Exchange, PooledExchange } from './http1-exchange.ts';
import type { Http1Origin } from './http1-origin.ts';
import { Http1Shares, type PoolLimits } from './http1-shares.ts';
import { connectionsFor, Http1Pipelines, maxPipelines } from './pipelining/http1-pipelines.ts';

/**
 * A server that closes after every answer cannot answer the greeting and a call on one connection. Its last correct
 * greeting is valid for this long.
 */
const proofOfClosingServerMs = 1_000;

export class Http1Pool implements ConnectionOwner {
  /** A stack: the connection used last is used next, so that connections that low load does not need become idle and close. */
  readonly #idle: Http1Connection[] = [];
  readonly #connections = new Set<Http1Connection>();
  readonly #waiting = new Set<Exchange>();
  readonly #shares: Http1Shares<Exchange>;
  /** Limits of the connections that carry one call at a time. */
  private readonly limits: PoolLimits;
  readonly #pipelines: Http1Pipelines | undefined;
  /** Connections whose greeting is in flight, each with the problem of its answer once known. */
  readonly #greeted = new Map<Http1Connection, { failure: Http1Failure; detail: string } | 'right'>();
  /** Connections that were busy when `release` dropped the idle ones: they close after their exchange. */
  readonly #stale = new WeakSet<Http1Connection>();
  #skipsGreeting = false;
  #dialing = 0;
  /** 1 after a failed connection attempt, until one succeeds: a dead node is not flooded with attempts. */
  #maxDialing: number;
  #closed = false;

  constructor(
    private readonly origin: Http1Origin,
    limits: PoolLimits,
    private readonly greeting: Greeting | undefined,
    pipelining?: Pipelining,
  ) {
    // Pipelines get at most half of the connections.
    const room = Math.floor(limits.maxConnections / 2 / connectionsFor);
    const pipelines = pipelining === undefined ? 0 : Math.min(maxPipelines, room);
    this.limits = { ...limits, maxConnections: limits.maxConnections - pipelines * connectionsFor };
    if (pipelining !== undefined && pipelines > 0)
      this.#pipelines = new Http1Pipelines(origin, pipelining, pipelines, (exchange) => this.#sendAlone(exchange));
    this.#maxDialing = this.limits.maxConnections;
    this.#shares = new Http1Shares(this.#connections, this.#waiting, this.limits);
  }

  /** Settles the exchange exactly once. */
  carry(exchange: PooledExchange): void {
    const { call } = exchange;
    exchange.deadline = this.origin.timerWheel.arm(call.waitMs ?? call.timeoutMs, () => this.#expire(exchange));
    if (this.#pipelines?.take(exchange) !== true) this.#submit(exchange);
  }

  /**
   * Ends the waiting calls that can use another server. With `drop`, idle connections also close now and busy ones after their exchange:
   * the next call begins on a new connection.
   */
  release(drop: boolean): void {
    for (const exchange of [...this.#waiting]) {
      if (exchange.call.canLeave !== true || !this.#waiting.delete(exchange)) continue;
      exchange.settle(failed('released', false, 'released while it waited for a connection'));
    }
    if (!drop) return;
    this.#pipelines?.drop();
    for (const connection of this.#connections) this.#stale.add(connection);
    for (const connection of [...this.#idle]) connection.close();
  }

  stats(): { open: number; idle: number; waiting: number } {
    const open = this.#connections.size - this.#dialing;
    const pipelines = this.#pipelines?.stats() ?? { open: 0, idle: 0 };
    return { open: open + pipelines.open, idle: this.#idle.length + pipelines.idle, waiting: this.#waiting.size };
  }

  close(): void {
    this.#closed = true;
    this.#pipelines?.close();
    this.#failWaiting('broken', 'the client was closed');
    for (const connection of [...this.#connections]) connection.close();
    this.#connections.clear();
    this.#dialing = 0;
  }

  opened(connection: Http1Connection): void {
    if (this.greeting === undefined || this.#skipsGreeting) this.#ready(connection);
    else this.#greet(connection, this.greeting);
  }

  freed(connection: Http1Connection): void {
    if (this.#greeted.delete(connection)) this.#ready(connection);
    else if (this.#stale.has(connection)) connection.close();
    else this.#carryNext(connection);
  }

  #ready(connection: Http1Connection): void {
    this.#dialing--;
    this.#maxDialing = this.limits.maxConnections;
    this.#carryNext(connection);
    // Other calls may have waited for this single attempt, and its first call may be slow.
    this.#dialForWaiting();
  }

  /** A connection whose greeting is in flight counts as connecting: no call is bound to it, and none was sent. */
  #greet(connection: Http1Connection, greeting: Greeting): void {
    const { timerWheel } = this.origin;
    this.#greeted.set(connection, { failure: 'connect', detail: 'closed as soon as it was opened' });
    const note = (failure: Http1Failure, detail: string) => this.#greeted.set(connection, { failure, detail });
    const deadline = timerWheel.arm(greeting.timeoutMs, () => connection.abort('timeout', 'no answer to the greeting'));
    connection.send({
      content: new TextContent(greeting.body),
      whole: undefined,
      call: {
        timeoutMs: greeting.timeoutMs,
        accepts: (status, content) => {
          const problem = greeting.problem(status, content.text());
          if (problem === undefined) this.#greeted.set(connection, 'right');
          else note('unfit', problem);
          return problem === undefined;
        },
      },
      settle: (reply) => {
        timerWheel.disarm(deadline);
        if (!reply.ok) note('connect', reply.detail);
      },
      connection: undefined,
    });
  }

  #carryNext(connection: Http1Connection): void {
    const next = this.#waiting.size === 0 ? undefined : this.#shares.next(this.#carrying - 1);
    if (next === undefined) {
      this.#idle.push(connection);
      connection.rest();
      return;
    }
    this.#waiting.delete(next);
    if (!connection.send(next)) this.#submit(next);
  }

  /** Without another connection in prospect all waiting calls fail; otherwise one fails that this attempt could have served. */
  dialFailed(connection: Http1Connection, detail: string, failure: Http1Failure = 'connect'): void {
    if (!this.#connections.delete(connection)) return;
    this.#dialing--;
    this.#maxDialing = 1;
    if (this.#connections.size === 0) this.#failWaiting(failure, detail);
    const next = this.#shares.next(this.#carrying);
    if (next !== undefined) {
      this.#waiting.delete(next);
      next.settle(failed(failure, false, detail));
    }
    this.#dialForWaiting();
  }

  closed(connection: Http1Connection): void {
    const greeted = this.#greeted.get(connection);
    if (greeted !== undefined) {
      this.#greeted.delete(connection);
      if (greeted !== 'right') {
        this.dialFailed(connection, greeted.detail, greeted.failure);
        return;
      }
      this.#dialing--;
      this.#maxDialing = this.limits.maxConnections;
      this.#skipsGreeting = true;
      this.origin.timerWheel.arm(proofOfClosingServerMs, () => {
        this.#skipsGreeting = false;
      });
    }
    this.#connections.delete(connection);
    const at = this.#idle.lastIndexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    this.#dialForWaiting();
  }

  returned(exchange: Exchange): void {
    this.#submit(exchange);
  }

  /** A call that was lost with a shared connection is not pipelined again: it is sent alone, and that outcome is final. */
  #sendAlone(exchange: Exchange): void {
    exchange.wasLost = true;
    this.#submit(exchange);
  }

  #submit(exchange: Exchange): void {
    const mayCarry = this.#shares.mayCarry(exchange, this.#carrying);
    while (mayCarry && this.#idle.length > 0) if (this.#idle.pop()?.send(exchange) === true) return;
    const isNext = mayCarry && this.#mayDial();
    if (this.#closed) exchange.settle(failed('broken', false, 'the client was closed'));
    else if (isNext || this.#shares.mayWait(exchange, this.#waiting.size - this.#dialing))
      this.#wait(exchange, mayCarry);
    else exchange.settle(failed('overloaded', false, 'the queue is full'));
  }

  #wait(exchange: Exchange, mayCarry: boolean): void {
    const { signal } = exchange.call;
    if (signal?.aborted === true) {
      exchange.settle(failed('abandoned', false, 'its caller had left'));
      return;
    }
    signal?.addEventListener('abort', () => {
      if (this.#waiting.delete(exchange)) exchange.settle(failed('abandoned', false, 'its caller left'));
    });
    this.#waiting.add(exchange);
    if (mayCarry) this.#dialForWaiting();
  }

  #expire(exchange: PooledExchange): void {
    const { connection, call } = exchange;
    const restMs = exchange.isLastDeadline ? 0 : call.timeoutMs - (call.waitMs ?? 0);
    if (connection === undefined) {
      this.#waiting.delete(exchange);
      const failure = this.#dialing === this.#connections.size ? 'connect' : 'overloaded';
      exchange.settle(failed(failure, false, 'no connection in time'));
    } else if (restMs > 0) {
      exchange.isLastDeadline = true;
      exchange.deadline = this.origin.timerWheel.arm(restMs, () => this.#expire(exchange));
    } else connection.abort('timeout', 'no whole answer in time', exchange);
  }

  /** The number of connections that carry a call. */
  get #carrying(): number {
    return this.#connections.size - this.#idle.length - this.#dialing;
  }

  #mayDial(): boolean {
    return !this.#closed && this.#dialing < this.#maxDialing && this.#connections.size < this.limits.maxConnections;
  }

  #dialForWaiting(): void {
    if (this.#dialing >= this.#waiting.size || !this.#mayDial()) return;
    const wanted = this.#shares.servable(this.#carrying);
    // An attempt that fails at once has removed the call that it was for.
    while (this.#dialing < Math.min(wanted, this.#waiting.size) && this.#mayDial()) {
      const connection = new Http1Connection(this.origin, this);
      this.#connections.add(connection);
      this.#dialing++;
      connection.dial();
    }
  }

  #failWaiting(failure: Http1Failure, detail: string): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const exchange of waiting) exchange.settle(failed(failure, false, detail));
  }
}
