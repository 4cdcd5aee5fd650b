/** The reader's connection to the files of the writing thread: opened when the writer says so, and closed as soon as the files have changed. */

import type { Database as Sqlite } from 'bun:sqlite';
import { UnusableDatabase } from '../unusable-database.ts';
import { type Files, filesAt, isSame } from './sqlite-file.ts';
import type { OpenRequest } from './sqlite-messages.ts';
import { openExisting } from './sqlite-open.ts';

export class JoinedFile {
  readonly #request: OpenRequest;
  #connection: Sqlite | undefined;
  #files: Files = { main: undefined, log: undefined, index: undefined };

  constructor(request: OpenRequest) {
    this.#request = request;
  }

  get isOpen(): boolean {
    return this.#connection !== undefined;
  }

  /** Opens the database with this identity. Returns whether the connection is open. */
  join(identity: string): boolean {
    this.close();
    try {
      this.#connection = openExisting(this.#request, identity);
      this.#connection.run('PRAGMA query_only = ON');
      this.#files = filesAt(this.#request.file);
    } catch {
      // The writer meets the same error and reports it.
      this.close();
    }
    return this.isOpen;
  }

  /** Throws when it is not open, or when the path leads to another file. */
  connection(): Sqlite {
    if (this.#connection === undefined) throw new UnusableDatabase('the reading connection is not open');
    if (!isSame(filesAt(this.#request.file), this.#files)) throw new UnusableDatabase('the database file was replaced');
    return this.#connection;
  }

  /** Never deletes the log: the writer has it open. */
  close(): void {
    try {
      this.#connection?.close();
    } catch {
      // A connection that could not be closed is not used again either.
    }
    this.#connection = undefined;
  }
}
