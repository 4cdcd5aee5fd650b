/** One SQLite file of this process: opened, migrated and watched, so that a missing file is never mistaken for an empty one. */

import { constants, type Database as Sqlite } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { UnusableDatabase } from '../unusable-database.ts';
import type { OpenRequest } from './sqlite-messages.ts';
import { createIfMissing, identityOf, openExisting, openWithin, type ThreadMachine } from './sqlite-open.ts';

/** How soon a failed opening is retried; until then calls fail at once with its reason. */
const reopenPauseMs = 50;
/**
 * A connection younger than this is not reopened because of an error: the file is at fault, and reopening would only
 * delay others.
 */
const suspicionPauseMs = 1_000;

/** Another connection of this process is open: it must be closed before the files are examined again. */
export class OtherConnectionOpen extends Error {}

export class SqliteFile {
  readonly #request: OpenRequest;
  readonly #clock: ThreadMachine['clock'];
  readonly #onOpen: () => void;
  #isAlone: boolean;
  #identity: string | undefined;
  #connection: Sqlite | undefined;
  #files: Files = { main: undefined, log: undefined, index: undefined };
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #trouble: Error = new Error('not opened yet');

  /**
   * At start, without an identity, creates and migrates the file, and throws the reason when it is unusable. Later it
   * only opens an existing file, on demand.
   */
  constructor(request: OpenRequest, machine: ThreadMachine, onOpen: () => void) {
    this.#request = request;
    this.#clock = machine.clock;
    this.#onOpen = onOpen;
    this.#isAlone = request.identity === undefined;
    this.#identity = request.identity;
    if (request.identity !== undefined) return;
    createIfMissing(request.file);
    this.#adopt(openWithin(request, machine));
  }

  get identity(): string {
    return this.#identity ?? '';
  }

  /** Notes that no other connection of this process is open. That is valid until this one opens the database. */
  noteOthersClosed(): void {
    this.#isAlone = true;
  }

  /** The connection, if the path still leads to the files that it has open. Throws otherwise. */
  connection(): Sqlite {
    const files = filesAt(this.#request.file);
    if (this.#connection !== undefined && isSame(files, this.#files)) return this.#connection;
    // The file is gone: the connection stays open, because the file may come back (a directory that was moved).
    if (files.main === undefined) throw new UnusableDatabase('the database file is gone');
    return this.#reopen(files);
  }

  /** Call this after an error that a new check of the file may resolve. */
  suspect(): void {
    if (this.#clock.monotonic() - this.#triedAtMs >= suspicionPauseMs) this.#drop();
  }

  close(): void {
    if (this.#connection === undefined) return;
    // An orderly close leaves one file. A log that may belong to another database is never deleted.
    const whole = isSame(filesAt(this.#request.file), this.#files);
    if (whole) this.#connection.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 0);
    this.#drop();
  }

  #reopen(files: Files): Sqlite {
    if (!this.#isAlone) throw new OtherConnectionOpen('the reading connection is still open');
    const nowMs = this.#clock.monotonic();
    if (this.#connection === undefined && nowMs - this.#triedAtMs < reopenPauseMs) throw this.#trouble;
    if (this.#connection !== undefined && files.main !== this.#files.main && files.log === this.#files.log)
      emptyLog(this.#connection);
    this.#drop();
    this.#triedAtMs = nowMs;
    try {
      return this.#adopt(openExisting(this.#request, this.#identity));
    } catch (error) {
      this.#trouble = error instanceof Error ? error : new Error(String(error));
      throw this.#trouble;
    }
  }

  #adopt(connection: Sqlite): Sqlite {
    this.#connection = connection;
    this.#identity = identityOf(connection);
    this.#files = filesAt(this.#request.file);
    this.#triedAtMs = this.#clock.monotonic();
    this.#isAlone = false;
    this.#onOpen();
    return connection;
  }

  #drop(): void {
    try {
      this.#connection?.close();
    } catch {
      // A connection that could not be closed is not used again either.
    }
    this.#connection = undefined;
  }
}

/** Device and inode of the database, its log and its index; `undefined` where there is no file. */
export type Files = {
  readonly main: string | undefined;
  readonly log: string | undefined;
  readonly index: string | undefined;
};

export function filesAt(file: string): Files {
  return { main: inodeOf(file), log: inodeOf(`${file}-wal`), index: inodeOf(`${file}-shm`) };
}

function inodeOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

export function isSame(left: Files, right: Files): boolean {
  return left.main === right.main && left.log === right.log && left.index === right.index;
}

/**
 * The database was replaced, and the old log lies next to the new file: SQLite would replay it over that file. The
 * log's commits are moved to the old file, which this connection still has open.
 */
function emptyLog(connection: Sqlite): void {
  const outcome = connection.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get();
  if (outcome?.busy !== 0)
    throw new UnusableDatabase('the database file was replaced while the log of the old one is in use');
}
