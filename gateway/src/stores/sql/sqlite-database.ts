/** The SQLite engine: hands statements to its worker in batches, and answers within the deadline whatever becomes of them. */

import { type Clock, systemClock } from '../../platform/clock.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import type { Database, QueryOptions, Row, SqlValue, Statement, TransactionOptions } from './database.ts';
import { type Dialect, sqliteDialect } from './dialect.ts';
import { UnusableDatabase } from './migrations.ts';
import {
  ABANDONED,
  type FromWorker,
  type ToWorker,
  WAITING,
  type WorkerReply,
  type WorkerRequest,
} from './sqlite-messages.ts';

export type SqliteOptions = {
  /** The database file; its directory is created when missing. */
  readonly file: string;
  /** For calls that a request waits for; 150 unless told. */
  readonly deadlineMs?: number;
  /** How long to wait at start for another process that is migrating; 10,000 unless told. */
  readonly openTimeoutMs?: number;
  /** `PRAGMA max_page_count`: an upper bound on the file's size, in pages of 4 KiB. */
  readonly maxPages?: number;
  /** Told when the database stops serving (with the reason, for the log) and when it serves again (`undefined`). */
  readonly onTrouble?: (reason: string | undefined) => void;
  /** The time of leases and deliveries; the machine's unless told. */
  readonly clock?: Pick<Clock, 'now'>;
  readonly spawn?: () => Worker;
};

/** Calls that may be under way at once; beyond that the database is behind, and a further one fails at once. */
const maxWaiting = 4_096;
const closeTimeoutMs = 3_000;
const restartPauseMs = 100;

type Waiting = {
  readonly resolve: (rows: readonly (readonly Row[])[]) => void;
  readonly reject: (error: Error) => void;
  timer: ReturnType<typeof setTimeout>;
};

/** Creates the file when missing and migrates it. Throws `UnusableDatabase` for a file that is not ours or newer than this code, `Unavailable` when it cannot be opened. */
export async function openSqliteDatabase(options: SqliteOptions): Promise<Database> {
  const engine = new SqliteEngine(options);
  await engine.open();
  return engine;
}

class SqliteEngine implements Database {
  readonly dialect: Dialect;
  readonly #options: SqliteOptions;
  #worker: Worker | undefined;
  #identity: string | undefined;
  #closed = false;
  #states = new Int32Array(new SharedArrayBuffer(0));
  #free: number[] = [];
  #waiting = new Map<number, Waiting>();
  #outbox: WorkerRequest[] = [];
  #onClosed: (() => void) | undefined;

  constructor(options: SqliteOptions) {
    this.#options = options;
    const { now } = options.clock ?? systemClock;
    this.dialect = sqliteDialect(now);
  }

  async query(text: string, values: readonly SqlValue[], options: QueryOptions = {}): Promise<readonly Row[]> {
    const [rows = []] = await this.#call({ writes: false, statements: [{ text, values }] }, options);
    return rows;
  }

  transaction(
    statements: readonly Statement[],
    options: TransactionOptions = {},
  ): Promise<readonly (readonly Row[])[]> {
    const { undo, onlyIf } = options;
    const guarded = { ...(undo === undefined ? {} : { undo }), ...(onlyIf === undefined ? {} : { onlyIf }) };
    return this.#call({ writes: true, statements, ...guarded }, options);
  }

  async ping(): Promise<void> {
    await this.query('SELECT version FROM schema_migrations LIMIT 1', []);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onClosed = resolve;
    this.#post({ close: true });
    const timer = setTimeout(resolve, closeTimeoutMs);
    await promise;
    clearTimeout(timer);
    this.#abandonWorker('closed');
    worker.terminate();
  }

  /** At start waits until the file is open; the worker of a restart (identity known) opens it on demand. */
  open(): Promise<void> {
    const worker = (this.#options.spawn ?? spawnWorker)();
    this.#worker = worker;
    this.#states = new Int32Array(new SharedArrayBuffer(maxWaiting * Int32Array.BYTES_PER_ELEMENT));
    this.#free = Array.from({ length: maxWaiting }, (_, at) => maxWaiting - 1 - at);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('replies' in data) for (const reply of data.replies) this.#settle(reply);
      else if ('trouble' in data) this.#options.onTrouble?.(data.trouble);
      else if ('closed' in data) this.#onClosed?.();
      else if ('opened' in data) {
        this.#identity = data.opened.identity;
        resolve();
      } else {
        this.#closed = true;
        this.#abandonWorker(data.notOpened.message);
        worker.terminate();
        reject(this.#notOpened(data.notOpened));
      }
    };
    worker.addEventListener('close', () => {
      if (this.#worker !== worker) return;
      reject(new Unavailable('database', 'its thread ended while opening'));
      this.#restart();
    });
    this.#post({ open: this.#openRequest() });
    return promise;
  }

  #openRequest() {
    const { file, openTimeoutMs = 10_000, maxPages } = this.#options;
    return {
      file,
      openTimeoutMs,
      states: this.#states,
      nowMs: systemClock.now(),
      ...(maxPages === undefined ? {} : { maxPages }),
      ...(this.#identity === undefined ? {} : { identity: this.#identity }),
    };
  }

  #notOpened({ unusable, message }: { unusable: boolean; message: string }): Error {
    const text = `${this.#options.file}: ${message}`;
    return unusable ? new UnusableDatabase(text) : new Unavailable('database', text);
  }

  #call(request: Omit<WorkerRequest, 'slot'>, { deadlineMs = this.#options.deadlineMs ?? 150 }: QueryOptions) {
    if (this.#closed || this.#worker === undefined)
      return Promise.reject(new Unavailable('database', this.#closed ? 'closed' : 'restarting'));
    const slot = this.#free.pop();
    if (slot === undefined)
      return Promise.reject(new Unavailable('database', `${maxWaiting} calls are waiting already`));
    const { promise, resolve, reject } = Promise.withResolvers<readonly (readonly Row[])[]>();
    const timer = setTimeout(() => this.#abandon(slot, deadlineMs), deadlineMs);
    Atomics.store(this.#states, slot, WAITING);
    this.#waiting.set(slot, { resolve, reject, timer });
    // Calls of one turn of the event loop travel in one message.
    if (this.#outbox.push({ slot, ...request }) === 1) queueMicrotask(() => this.#send());
    return promise;
  }

  #send(): void {
    const run = this.#outbox;
    this.#outbox = [];
    this.#post({ run });
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  /** When the worker has just committed it wins, and its reply is on the way. */
  #abandon(slot: number, deadlineMs: number): void {
    if (Atomics.compareExchange(this.#states, slot, WAITING, ABANDONED) !== WAITING) return;
    this.#waiting.get(slot)?.reject(new Unavailable('database', `no answer within ${deadlineMs} ms`));
    this.#waiting.delete(slot);
  }

  /** A slot is free again only now: the worker is done with it. */
  #settle(reply: WorkerReply): void {
    this.#free.push(reply.slot);
    const waiting = this.#waiting.get(reply.slot);
    if (waiting === undefined) return;
    this.#waiting.delete(reply.slot);
    clearTimeout(waiting.timer);
    if ('rows' in reply) waiting.resolve(reply.rows);
    else
      waiting.reject(
        reply.failure === 'bug' ? new Error(`SQL: ${reply.message}`) : new Unavailable('database', reply.message),
      );
  }

  #abandonWorker(reason: string): void {
    this.#worker = undefined;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Unavailable('database', reason));
    }
    this.#waiting.clear();
    this.#outbox = [];
  }

  #restart(): void {
    this.#abandonWorker('its thread ended');
    this.#onClosed?.();
    if (this.#closed || this.#identity === undefined) return;
    this.#options.onTrouble?.('the database thread ended and is being restarted');
    setTimeout(() => {
      if (!this.#closed) this.open().catch(() => undefined);
    }, restartPauseMs);
  }
}

function spawnWorker(): Worker {
  return new Worker(new URL('./sqlite-worker.ts', import.meta.url).href, { smol: true });
}
