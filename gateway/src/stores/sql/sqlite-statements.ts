/** The prepared statements of one connection: as many as there are texts in use, where `bun:sqlite` keeps the first twenty for ever and prepares every other one anew each time. */

import type { Database as Sqlite, Statement } from 'bun:sqlite';
import type { Row } from './database.ts';

export type Prepared = Statement<Row, (string | number | null)[]>;

/** All texts of the stores are fewer, but for lists of many lengths. */
const mostKept = 300;

export class SqliteStatements {
  readonly #connection: Sqlite;
  readonly #most: number;
  /** The one that was used longest ago first. */
  readonly #kept = new Map<string, Prepared>();

  constructor(connection: Sqlite, most = mostKept) {
    this.#connection = connection;
    this.#most = most;
  }

  /** Until its connection is closed, or others have been asked for so often that it was forgotten: ask anew for each use. */
  of(text: string): Prepared {
    const known = this.#kept.get(text);
    if (known === undefined) this.#makeRoom();
    else this.#kept.delete(text);
    const statement = known ?? this.#connection.prepare<Row, (string | number | null)[]>(text);
    this.#kept.set(text, statement);
    return statement;
  }

  #makeRoom(): void {
    for (const [text, statement] of this.#kept) {
      if (this.#kept.size < this.#most) return;
      this.#kept.delete(text);
      statement.finalize();
    }
  }
}
