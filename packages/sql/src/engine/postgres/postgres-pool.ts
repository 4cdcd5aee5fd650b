/** A bounded pool of connections. It opens new ones as needed, and tries an unavailable server with one connection at a time. */

import { backOffMs } from '@flowgate/async/back-off';
import { messageOf } from '@flowgate/base/text';
import { Unavailable } from '@flowgate/base/unavailable';
import type { PostgresSession } from './postgres-session.ts';

export type PoolOptions = {
  /** Rejects with a reason that may be logged. */
  readonly open: () => Promise<PostgresSession>;
  readonly maxConnections: number;
  /** From 0 up to 1: spreads the attempts of gateways that lost the server at the same moment. */
  readonly random: () => number;
  /** Called when the server becomes unavailable (with the reason) and when it is available again (`undefined`). */
  readonly onUnavailable: (reason: string | undefined) => void;
};

/** A call's place in the queue; `cancel` removes it. */
export type Turn = { readonly session: Promise<PostgresSession>; readonly cancel: (error: Error) => void };

type Waiting = { readonly resolve: (session: PostgresSession) => void; readonly reject: (error: Error) => void };

/** The maximum number of calls that wait for a connection; further ones fail at once. */
const maxWaiting = 4_096;
/**
 * The maximum number of connections that are being opened at the same time: enough to grow quickly, too few to overload
 * a server that has just restarted.
 */
const maxOpening = 2;
const pauses = { firstMs: 50, maxMs: 1_000, jitter: 0.5 };

export class PostgresPool {
  readonly #options: PoolOptions;
  readonly #sessions = new Set<PostgresSession>();
  readonly #idle: PostgresSession[] = [];
  readonly #waiting = new Set<Waiting>();
  #opening = 0;
  #unavailable: string | undefined;
  /** The number of pauses since the last successful connection. */
  #paused = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  take(): Turn {
    const { promise, resolve, reject } = Promise.withResolvers<PostgresSession>();
    const waiting = { resolve, reject };
    const session = this.#idle.pop();
    if (session !== undefined) resolve(session);
    else if (this.#closed) reject(new Unavailable('database', 'closed'));
    else if (this.#unavailable !== undefined) reject(new Unavailable('database', this.#unavailable));
    else if (this.#waiting.size >= maxWaiting)
      reject(new Unavailable('database', `${maxWaiting} calls are waiting already`));
    else {
      this.#waiting.add(waiting);
      this.#grow();
    }
    return {
      session: promise,
      cancel: (error) => {
        if (this.#waiting.delete(waiting)) reject(error);
      },
    };
  }

  /** Returns the connection after a call. One that has ended meanwhile is dropped. */
  giveBack(session: PostgresSession): void {
    if (!session.isOpen) return;
    const [next] = this.#waiting;
    if (next === undefined) this.#idle.push(session);
    else {
      this.#waiting.delete(next);
      next.resolve(session);
    }
  }

  /** A connection that did not answer suggests that others are dead too: closes the idle ones. */
  distrust(reason: string): void {
    for (const session of [...this.#idle]) session.close(reason);
    if (this.#sessions.size === 0) this.#becomeUnavailable(reason);
  }

  /** Ends every connection, also those in use. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#refuseWaiting('closed');
    for (const session of [...this.#sessions]) session.close('closed');
  }

  #grow(): void {
    if (this.#closed || this.#retry !== undefined) return;
    const wanted = Math.min(this.#waiting.size, this.#options.maxConnections - this.#sessions.size, maxOpening);
    while (this.#opening < wanted) void this.#openOne();
  }

  async #openOne(): Promise<void> {
    this.#opening += 1;
    try {
      const session = await this.#options.open();
      this.#opening -= 1;
      this.#adopt(session);
    } catch (error) {
      this.#opening -= 1;
      // While other connections work, a refused one (too many) is not an outage.
      if (this.#sessions.size === 0) this.#becomeUnavailable(messageOf(error));
      else this.#pause();
    }
  }

  #adopt(session: PostgresSession): void {
    if (this.#closed) {
      session.close('closed');
      return;
    }
    this.#sessions.add(session);
    void session.ended.then((reason) => this.#lost(session, reason));
    if (this.#unavailable !== undefined) this.#options.onUnavailable(undefined);
    this.#unavailable = undefined;
    this.#paused = 0;
    this.giveBack(session);
    this.#grow();
  }

  #lost(session: PostgresSession, reason: string): void {
    this.#sessions.delete(session);
    const at = this.#idle.indexOf(session);
    if (at >= 0) this.#idle.splice(at, 1);
    if (this.#closed) return;
    // When no connection is left, the next call would discover the outage, so the server is checked at once.
    if (this.#sessions.size === 0 && this.#opening === 0 && this.#unavailable === undefined)
      this.#becomeUnavailable(reason);
    else this.#grow();
  }

  #becomeUnavailable(reason: string): void {
    if (this.#closed) return;
    if (this.#unavailable !== reason) this.#options.onUnavailable(reason);
    this.#unavailable = reason;
    this.#refuseWaiting(reason);
    this.#pause();
  }

  #pause(): void {
    if (this.#closed || this.#retry !== undefined) return;
    this.#paused += 1;
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined;
        if (this.#unavailable === undefined) this.#grow();
        else if (this.#opening === 0) void this.#openOne();
      },
      backOffMs(pauses, this.#paused, this.#options.random()),
    );
  }

  #refuseWaiting(reason: string): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Unavailable('database', reason));
  }
}
