/** The SQLite engine: one thread writes and another one reads, so that no read waits for a commit to reach the disk. */

import { settledWithin } from '@flowgate/async/bounded-waits';
import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import { Compensations, uncompensated } from '../compensations.ts';
import type { Database, QueryOptions, Row, SqlValue, Statement, TransactionOptions } from '../database.ts';
import { type Dialect, sqliteDialect } from '../dialect.ts';
import type { Schema } from '../schema.ts';
import type { Reported } from './sqlite-messages.ts';
import { Elsewhere, SqliteThread } from './sqlite-thread.ts';

export type SqliteOptions = {
  /** The database file; its directory is created when missing. */
  readonly file: string;
  /** The clock of this process, also used for leases and deliveries. */
  readonly clock: Clock;
  /** The schema to which the database is migrated. */
  readonly schema: Schema;
  /** Milliseconds for a read that a request waits for; 150 by default. */
  readonly deadlineMs?: number;
  /** Milliseconds for a write that a request waits for; longer, because writes wait for the disk. By default `deadlineMs` if given, else 1,000. */
  readonly writeDeadlineMs?: number;
  /** Milliseconds to wait at start for another process that is migrating; 10,000 by default. */
  readonly openTimeoutMs?: number;
  /** Milliseconds for which closing waits for calls in progress and for compensations; 10,000 by default. */
  readonly closeTimeoutMs?: number;
  /** `PRAGMA max_page_count`: an upper bound on the file's size, in pages of 4 KiB. */
  readonly maxPages?: number;
  /**
   * Bytes that are reserved on the disk next to the file, so that keys can be revoked when the disk is full; 8 MiB by
   * default, enough for a whole log and its checkpoint.
   */
  readonly reserveBytes?: number;
  /** Called when the database stops serving (with the reason, for the log) and when it serves again (`undefined`). */
  readonly onTrouble?: (reason: string | undefined) => void;
  /** Starts the writing thread. */
  readonly spawn?: () => Worker;
};

/** Milliseconds until the reader opens the files again after a fault that only the reader met, or met first. */
const rejoinPauseMs = 1_000;
/** Milliseconds for a compensation, for which no request waits. */
const undoDeadlineMs = 3_000;
/** Milliseconds that an idle thread gets to close its files. */
const lastCloseMs = 3_000;

/**
 * Creates the file when it is missing, and migrates it. Throws `UnusableDatabase` for a file that is not a Flowgate
 * database or is newer than this code, `Unavailable` when it cannot be opened.
 */
export async function openSqliteDatabase(options: SqliteOptions): Promise<Database> {
  const engine = new SqliteEngine(options);
  await engine.open();
  return engine;
}

class SqliteEngine implements Database {
  readonly dialect: Dialect;
  readonly #options: SqliteOptions;
  readonly #writer: SqliteThread;
  /**
   * Reads while it has the same files open as the writer. It passes calls that it cannot serve to the writer, which
   * alone decides about the state of the files.
   */
  readonly #reader: SqliteThread;
  readonly #compensations = new Compensations((undo) =>
    this.#writer.call({ writes: true, hasLongDeadline: true, usesReserve: true, statements: undo }, undoDeadlineMs),
  );
  #identity: string | undefined;
  #readerServes = false;
  #writerHasFiles = true;
  #onReaderAnswer = () => {};
  #closed = false;

  constructor(options: SqliteOptions) {
    this.#options = options;
    this.dialect = sqliteDialect(options.clock.now);
    this.#writer = new SqliteThread({
      spawn: options.spawn ?? spawnWorker,
      openRequest: () => this.#openRequest(false),
      onReported: (reported) => this.#onWriterReported(reported),
      onEnded: () => {
        // The next writer opens the files as at a start, when no other connection is open.
        this.#dismissReader();
        options.onTrouble?.('the database thread ended and is being restarted');
      },
      onUnknownOutcome: (undo) => this.#compensations.add(undo),
    });
    this.#reader = new SqliteThread({
      spawn: spawnWorker,
      openRequest: () => this.#openRequest(true),
      onReported: (reported) => this.#onReaderReported(reported),
      onEnded: () => {
        this.#readerServes = false;
        this.#writer.post({ alone: true });
      },
      onUnknownOutcome: () => {},
    });
  }

  async open(): Promise<void> {
    const readerStarted = this.#reader.open().then(
      () => true,
      () => false,
    );
    try {
      this.#identity = await this.#writer.open();
    } catch (error) {
      await this.#reader.close(lastCloseMs);
      throw error;
    }
    const joined = Promise.withResolvers<void>();
    this.#onReaderAnswer = joined.resolve;
    // The writer serves reads until the reader has started, and whenever there is no reader.
    if (!(await readerStarted)) return;
    this.#bringReader();
    await joined.promise;
  }

  async query(text: string, values: readonly SqlValue[], options: QueryOptions = {}): Promise<readonly Row[]> {
    const { deadlineMs = this.#options.deadlineMs ?? 150 } = options;
    if (this.#closed) throw new Unavailable('database', 'closed');
    const request = { writes: false, statements: [{ text, values }] };
    const read = this.#readerServes ? this.#readElsewhere(request, deadlineMs) : this.#writer.call(request, deadlineMs);
    const [rows = []] = await read;
    return rows;
  }

  transaction(
    statements: readonly Statement[],
    options: TransactionOptions = {},
  ): Promise<readonly (readonly Row[])[]> {
    const { undo, onlyIf, usesReserve = false, isLostWithPower = false } = options;
    if (this.#closed) return Promise.reject(new Unavailable('database', 'closed'));
    const defaultMs = this.#options.writeDeadlineMs ?? this.#options.deadlineMs ?? 1_000;
    const { deadlineMs = defaultMs } = options;
    const guarded = onlyIf === undefined ? {} : { onlyIf };
    return this.#writer.call(
      { writes: true, hasLongDeadline: deadlineMs > defaultMs, usesReserve, isLostWithPower, statements, ...guarded },
      deadlineMs,
      undo,
    );
  }

  async ping(): Promise<void> {
    await this.query('SELECT version FROM schema_migrations LIMIT 1', []);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // The reader closes first: when the last connection closes, SQLite merges the log, and one file is left.
    await this.#reader.close(lastCloseMs);
    this.#writer.post({ alone: true });
    const { closeTimeoutMs = 10_000, onTrouble } = this.#options;
    await settledWithin(
      closeTimeoutMs,
      this.#writer.allReplied().then(() => this.#compensations.done),
    );
    this.#compensations.stop();
    await this.#writer.close(lastCloseMs);
    if (this.#compensations.left > 0) onTrouble?.(uncompensated(this.#compensations.left));
  }

  /** A reader without the files replies at once, so the writer has the whole time. */
  async #readElsewhere(request: Parameters<SqliteThread['call']>[0], deadlineMs: number) {
    try {
      return await this.#reader.call(request, deadlineMs);
    } catch (error) {
      if (!(error instanceof Elsewhere)) throw error;
      return this.#writer.call(request, deadlineMs);
    }
  }

  #onWriterReported(reported: Reported): void {
    if ('trouble' in reported) this.#options.onTrouble?.(reported.trouble);
    else if ('wantsToBeAlone' in reported) this.#dismissReader();
    else if ('hasFiles' in reported) {
      this.#writerHasFiles = true;
      this.#bringReader();
    }
  }

  #bringReader(): void {
    if (this.#identity === undefined || !this.#writerHasFiles || this.#closed || this.#readerServes) return;
    this.#reader.post({ join: { identity: this.#identity } });
  }

  #dismissReader(): void {
    this.#readerServes = false;
    this.#writerHasFiles = false;
    if (this.#reader.isRunning) this.#reader.post({ leave: true });
    else this.#writer.post({ alone: true });
  }

  #onReaderReported(reported: Reported): void {
    if ('isReady' in reported) this.#bringReader();
    else {
      this.#readerServes = 'hasFiles' in reported && this.#writerHasFiles;
      if ('hasLeft' in reported) this.#writer.post({ alone: true });
      if ('hasLeft' in reported && this.#writerHasFiles) setTimeout(() => this.#bringReader(), rejoinPauseMs).unref();
      this.#onReaderAnswer();
    }
  }

  #openRequest(readsOnly: boolean) {
    const { file, schema, clock, openTimeoutMs = 10_000, maxPages, reserveBytes = 8_388_608 } = this.#options;
    return {
      file,
      migrations: schema.migrations,
      readsOnly,
      openTimeoutMs,
      reserveBytes,
      nowMs: clock.now(),
      ...(maxPages === undefined ? {} : { maxPages }),
      ...(this.#identity === undefined ? {} : { identity: this.#identity }),
    };
  }
}

function spawnWorker(): Worker {
  return new Worker(new URL('./sqlite-worker.ts', import.meta.url).href, { smol: true });
}
