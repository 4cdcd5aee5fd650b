/**
 * The connection of a database thread. It checks the files before each round of work, and classifies errors of the
 * files.
 */

import type { Database as Sqlite } from 'bun:sqlite';
import { messageOf } from '@flowgate/base/text';
import type { Row, Statement } from '../database.ts';
import { UnusableDatabase } from '../unusable-database.ts';
import { type SqliteFault, sqliteFault } from './sqlite-errors.ts';
import { OtherConnectionOpen, type SqliteFile } from './sqlite-file.ts';
import { JoinedFile } from './sqlite-joined-file.ts';
import type { Reported } from './sqlite-messages.ts';

export type Failure = { readonly fault: SqliteFault; readonly message: string };

export class SqliteConnection {
  readonly #file: SqliteFile | JoinedFile;
  readonly #say: (reported: Reported) => void;
  #current: Sqlite | undefined;
  #trouble: Failure | undefined;
  #hasAskedToBeAlone = false;

  constructor(file: SqliteFile | JoinedFile, say: (reported: Reported) => void) {
    this.#file = file;
    this.#say = say;
  }

  /** The fault that the writer has reported and that is not over. */
  get trouble(): SqliteFault | undefined {
    return this.#trouble?.fault;
  }

  /** For the reader: opens the database with this identity, and returns whether that worked. */
  join(identity: string): void {
    this.#say(this.#file instanceof JoinedFile && this.#file.join(identity) ? { hasFiles: true } : { hasLeft: true });
  }

  /** For the reader: closes the database until the writer lets it join again. */
  leave(): void {
    this.close();
    this.#current = undefined;
    this.#say({ hasLeft: true });
  }

  /** For the writer: no other connection of this process is open. */
  noteOthersClosed(): void {
    if (!(this.#file instanceof JoinedFile)) this.#file.noteOthersClosed();
    this.#hasAskedToBeAlone = false;
  }

  close(): void {
    this.#file.close();
  }

  /** Runs `work` on the connection. `rechecks` checks the file again first; otherwise the last check of this round counts. */
  attempt<T extends object>(work: (connection: Sqlite) => T, rechecks: boolean): T | Failure {
    try {
      if (rechecks || this.#current === undefined) this.#current = this.#file.connection();
      const result = work(this.#current);
      // A full disk can still be read; only a commit shows that it is no longer full.
      if (this.#trouble?.fault === 'broken') this.noteTrouble(undefined);
      return result;
    } catch (error) {
      const failure = this.failureOf(error);
      if (failure.fault === 'broken' || failure.fault === 'full') this.noteTrouble(failure);
      if (failure.fault === 'broken') this.#suspectFile(error);
      return failure;
    }
  }

  failureOf(error: unknown): Failure {
    if (error instanceof OtherConnectionOpen) {
      if (!this.#hasAskedToBeAlone) this.#say({ wantsToBeAlone: true });
      this.#hasAskedToBeAlone = true;
      return { fault: 'busy', message: error.message };
    }
    const fault =
      error instanceof UnusableDatabase ? 'broken' : this.#isWriteByReader(error) ? 'bug' : sqliteFault(error);
    return { fault, message: messageOf(error) };
  }

  noteTrouble(now: Failure | undefined): void {
    // Faults of the reader are passed to the writer, which reports them.
    if (this.#file instanceof JoinedFile || now?.message === this.#trouble?.message) return;
    this.#trouble = now;
    this.#say({ trouble: now?.message });
  }

  #suspectFile(error: unknown): void {
    this.#current = undefined;
    if (this.#file instanceof JoinedFile) {
      if (this.#file.isOpen) this.leave();
    } else if (!(error instanceof UnusableDatabase)) this.#file.suspect();
  }

  /** `query_only`: this statement must run on the writer. */
  #isWriteByReader(error: unknown): boolean {
    return this.#file instanceof JoinedFile && /readonly/.test(messageOf(error));
  }
}

export function runStatement(connection: Sqlite, { text, values, idleUnless }: Statement): readonly Row[] {
  if (idleUnless !== undefined && runStatement(connection, idleUnless).length === 0) return [];
  return connection.query<Row, (string | number | null)[]>(text).all(...values);
}
