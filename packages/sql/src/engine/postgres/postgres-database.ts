/**
 * The PostgreSQL engine: each call has a connection and is answered within its deadline; a commit whose caller received
 * an error is compensated.
 */

import { settledWithin } from '@flowgate/async/bounded-waits';
import { KeyedMutex } from '@flowgate/async/keyed-mutex';
import { startLoopDeadline } from '@flowgate/async/loop-deadline';
import type { Clock } from '@flowgate/base/clock';
import { createFractions, type RandomBytes } from '@flowgate/base/random';
import { messageOf } from '@flowgate/base/text';
import { Unavailable } from '@flowgate/base/unavailable';
import { Compensations, uncompensated } from '../compensations.ts';
import type { Database, QueryOptions, Row, SqlValue, Statement, TransactionOptions } from '../database.ts';
import { postgresDialect } from '../dialect.ts';
import { integerOf } from '../row.ts';
import type { Schema } from '../schema.ts';
import { readPostgresAddress } from './postgres-address.ts';
import { connectFailure, postgresFault } from './postgres-errors.ts';
import { openAtStart, readyForCalls } from './postgres-open.ts';
import { PostgresPool } from './postgres-pool.ts';
import { type Backend, PostgresSession } from './postgres-session.ts';
import { type Call, readWithin, runTransaction } from './postgres-transaction.ts';

export type PostgresOptions = {
  /** `postgres://user:password@host:port/database`; see docs/concepts/storage.md. */
  readonly url: string;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** The schema to which the database is migrated. */
  readonly schema: Schema;
  /** The maximum number of connections of this process; 10 by default. */
  readonly maxConnections?: number;
  /** Milliseconds for a read that a request waits for; 150 by default. */
  readonly deadlineMs?: number;
  /** Milliseconds for the statements of a write that a request waits for, and again for its commit; longer, because writes wait for locks and the disk. By default `deadlineMs` if given, else 900. */
  readonly writeDeadlineMs?: number;
  /**
   * Milliseconds for the answer to `BEGIN`, regardless of the time for the other statements; 600 by default, so that a
   * caller is answered within a second while the server is paused.
   */
  readonly beginDeadlineMs?: number;
  /** Milliseconds to open a connection, with password and checks; 1,000 by default. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds to wait at start for a server that is starting, or for another gateway that is migrating; 10,000 by default. */
  readonly openTimeoutMs?: number;
  /** Milliseconds for which closing waits for calls in progress and for compensations; 10,000 by default. */
  readonly closeTimeoutMs?: number;
  /** Called when the database stops serving (with the reason, for the log) and when it serves again (`undefined`). */
  readonly onTrouble?: (reason: string | undefined) => void;
};

/** The milliseconds after a call's deadline in which its connection may still answer: the server cancels the statement by itself, and the connection stays usable. */
const graceMs = 250;
/** Milliseconds for a compensation, for which no request waits. */
const undoDeadlineMs = 3_000;
/** Milliseconds for calls that closing has cut off to end. */
const cutOffMs = 1_000;

/** Opens and migrates the database. Throws `UnusableDatabase` when an operator must act (password, rights, a newer schema), `Unavailable` when it cannot be reached. */
export async function openPostgresDatabase(options: PostgresOptions): Promise<Database> {
  const address = readPostgresAddress(options.url);
  const { connectTimeoutMs = 1_000, openTimeoutMs = 10_000, deadlineMs = 150 } = options;
  const identity = await openAtStart({ ...options, address, connectTimeoutMs, openTimeoutMs });
  const engine = new PostgresEngine(options, deadlineMs, async () => {
    const opening = PostgresSession.open({ address, connectTimeoutMs });
    const session = await opening.catch((error: unknown) => {
      throw new Error(connectFailure(error, address.user), { cause: error });
    });
    return readyForCalls(session, { identity, connectTimeoutMs, deadlineMs });
  });
  try {
    await engine.query('SELECT 1', [], { deadlineMs: openTimeoutMs });
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

const noop = () => {};

/** Milliseconds for which the server waits until the process has ended; less than the deadline. */
const endingMs = 2_000;
const deadlineMs = 3_000;

/**
 * Terminates a server process that could still commit a call that timed out. Returns whether the process has ended: it
 * has then committed or never will. A user may terminate its own processes.
 */
async function endBackend(transaction: Database['transaction'], { pid, startedAtUs }: Backend): Promise<boolean> {
  const values = [pid, startedAtUs];
  const end = { text: `SELECT pg_terminate_backend(pid, ${endingMs}) ${fromBackend}`, values };
  await transaction([end], { deadlineMs });
  const count = { text: `SELECT COUNT(*) AS count ${fromBackend}`, values };
  const [[row] = []] = await transaction([count], { deadlineMs });
  return row !== undefined && integerOf(row, 'count') === 0;
}

const fromBackend =
  'FROM pg_stat_activity WHERE pid = ? AND CAST(EXTRACT(EPOCH FROM backend_start) * 1000000 AS BIGINT) = ?';

class PostgresEngine implements Database {
  readonly dialect = postgresDialect;
  readonly #defaultDeadlineMs: number;
  readonly #writeDeadlineMs: number;
  readonly #beginDeadlineMs: number;
  readonly #pool: PostgresPool;
  readonly #closeTimeoutMs: number;
  readonly #compensations = new Compensations((undo) => this.#transact(undo, { deadlineMs: undoDeadlineMs }));
  readonly #onTrouble: (reason: string | undefined) => void;
  readonly #running = new Set<Promise<unknown>>();
  readonly #mutex = new KeyedMutex();
  #unavailable: string | undefined;
  /** The reason why writes fail while reads continue. */
  #refusal: string | undefined;
  #closed = false;

  constructor(options: PostgresOptions, deadlineMs: number, open: () => Promise<PostgresSession>) {
    this.#defaultDeadlineMs = deadlineMs;
    this.#writeDeadlineMs = options.writeDeadlineMs ?? options.deadlineMs ?? 900;
    this.#beginDeadlineMs = options.beginDeadlineMs ?? 600;
    this.#closeTimeoutMs = options.closeTimeoutMs ?? 10_000;
    this.#onTrouble = options.onTrouble ?? (() => undefined);
    this.#pool = new PostgresPool({
      open,
      maxConnections: options.maxConnections ?? 10,
      random: createFractions(options.randomBytes),
      onUnavailable: (reason) => {
        this.#unavailable = reason;
        this.#onTrouble(reason ?? this.#refusal);
      },
    });
  }

  query(text: string, values: readonly SqlValue[], options: QueryOptions = {}): Promise<readonly Row[]> {
    const deadlineMs = options.deadlineMs ?? this.#defaultDeadlineMs;
    const statement = { text, values };
    return this.#ifOpen(() =>
      this.#within(deadlineMs, (session, call) =>
        deadlineMs > this.#defaultDeadlineMs ? readWithin(session, call, statement) : session.send(statement),
      ),
    );
  }

  transaction(statements: readonly Statement[], options: TransactionOptions = {}) {
    return this.#ifOpen(() => this.#transact(statements, options));
  }

  async ping(): Promise<void> {
    await this.query('SELECT version FROM schema_migrations LIMIT 1', []);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await settledWithin(
      this.#closeTimeoutMs,
      this.#callsEnded().then(() => this.#compensations.done),
    );
    this.#compensations.stop();
    this.#pool.close();
    // Commits that closing cut off: their outcome is unknown.
    await settledWithin(cutOffMs, this.#callsEnded());
    if (this.#compensations.left > 0) this.#onTrouble(uncompensated(this.#compensations.left));
  }

  /** Includes queued calls, and calls whose caller received `no answer` already. */
  async #callsEnded(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
  }

  #ifOpen<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Unavailable('database', 'closed'));
    return call();
  }

  #transact(statements: readonly Statement[], options: TransactionOptions): Promise<readonly (readonly Row[])[]> {
    const { serializeOn, deadlineMs = this.#writeDeadlineMs } = options;
    const run = () => this.#transactNow(statements, options, deadlineMs);
    if (serializeOn === undefined) return run();
    // This waits before it takes a connection: the server's lock decides between gateways, and calls of one name must
    // not occupy all of our connections while they wait.
    const late = () => new Unavailable('database', `no answer within ${deadlineMs} ms`);
    return this.#noteRunning(this.#mutex.runExclusive(serializeOn, deadlineMs, run, late));
  }

  #transactNow(
    statements: readonly Statement[],
    options: TransactionOptions,
    deadlineMs: number,
  ): Promise<readonly (readonly Row[])[]> {
    const { undo } = options;
    return this.#within(deadlineMs, async (session, call) => {
      const { rows, end, error } = await runTransaction(session, call, statements, options);
      if (undo !== undefined && end === 'unknown')
        this.#compensations.add(undo, () =>
          endBackend((steps, more = {}) => this.#transact(steps, more), session.backend),
        );
      if (undo !== undefined && end === 'committed' && call.late) this.#compensations.add(undo);
      if (error !== undefined) throw error;
      if (end === 'committed') this.#noteRefusal(undefined);
      return rows;
    });
  }

  /** Runs `work` on a connection and returns by the deadline. The connection gets a little longer before it is closed. */
  #within<T>(deadlineMs: number, work: (session: PostgresSession, call: Call) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const turn = this.#pool.take();
    let leased: PostgresSession | undefined;
    const onGraceOver = () => {
      leased?.close('it does not answer');
      this.#pool.distrust('it does not answer');
    };
    const startDeadline = (ms: number) =>
      startLoopDeadline(ms, () => {
        stopAll();
        call.late = true;
        const late = new Unavailable('database', `no answer within ${ms} ms`);
        reject(late);
        if (leased === undefined) turn.cancel(late);
        else stop = startLoopDeadline(graceMs, onGraceOver);
      });
    let stop = startDeadline(deadlineMs);
    let stopBegin = noop;
    const stopAll = () => {
      stop();
      stopBegin();
    };
    const call: Call = {
      deadlineMs,
      late: false,
      onBegin: (answer) => {
        if (deadlineMs <= this.#beginDeadlineMs) return;
        stopBegin = startDeadline(this.#beginDeadlineMs);
        void answer.then(() => stopBegin(), noop);
      },
      // The server has just answered, so the commit waits only for the disk.
      onCommit: () => {
        stop();
        stop = startDeadline(Math.min(deadlineMs, this.#writeDeadlineMs));
      },
    };
    const run = async () => {
      try {
        leased = await turn.session;
        resolve(await work(leased, call));
      } catch (error) {
        reject(this.#failure(error, leased));
      }
      stopAll();
      if (leased !== undefined) this.#pool.giveBack(leased);
    };
    void this.#noteRunning(run());
    return promise;
  }

  /** Stores the promise, so that closing waits for it. */
  #noteRunning<T>(call: Promise<T>): Promise<T> {
    this.#running.add(call);
    const forget = () => {
      this.#running.delete(call);
    };
    call.then(forget, forget);
    return call;
  }

  /** The error for the caller. A connection that can no longer be trusted is closed. */
  #failure(error: unknown, session: PostgresSession | undefined): Error {
    if (error instanceof Unavailable) return error;
    const fault = postgresFault(error);
    if (fault === 'bug') return new Error(`SQL: ${messageOf(error)}`, { cause: error });
    if (fault === 'lost' || fault === 'strange') session?.close(messageOf(error));
    if (fault === 'cannot') this.#noteRefusal(messageOf(error));
    return new Unavailable('database', messageOf(error), { cause: error });
  }

  #noteRefusal(reason: string | undefined): void {
    if (reason === this.#refusal) return;
    this.#refusal = reason;
    if (this.#unavailable === undefined) this.#onTrouble(reason);
  }
}
