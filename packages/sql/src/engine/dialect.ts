/** All differences between the engines; every other statement is one text for both. */

/** A piece of query text with the values of its `?`. */
export type Fragment = { readonly text: string; readonly values: readonly (string | number | null)[] };

export type Dialect = {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * Milliseconds since the epoch by the clock that all processes on the database share. On PostgreSQL it is the server's, at the start of the statement; on SQLite,
   * whose processes share a machine, the given clock, when the statement is built. One value within a statement.
   */
  now(): Fragment;
  /**
   * Placed after a SELECT: the rows do not change until the transaction ends. SQLite has one writer at a time anyway.
   */
  readonly forShare: string;
  /** Placed after a SELECT: locks the rows for this transaction, and waits for transactions that have locked them. */
  readonly forUpdate: string;
  /** Placed after a SELECT: locks the rows for this transaction, and skips those that another transaction has locked. */
  readonly skipLocked: string;
  /**
   * Placed before a table's name: the planner analyzes the table now. Undefined where plans do not depend on the
   * content of tables.
   */
  readonly analyze: string | undefined;
};

export function sqliteDialect(nowMs: () => number): Dialect {
  return {
    engine: 'sqlite',
    now: () => ({ text: 'CAST(? AS BIGINT)', values: [nowMs()] }),
    forShare: '',
    forUpdate: '',
    skipLocked: '',
    analyze: undefined,
  };
}

const serverNow: Fragment = { text: 'CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000 AS BIGINT)', values: [] };

export const postgresDialect: Dialect = {
  engine: 'postgres',
  now: () => serverNow,
  forShare: 'FOR SHARE',
  forUpdate: 'FOR UPDATE',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  analyze: 'ANALYZE',
};

/**
 * The schema's text for PostgreSQL: texts are compared by their bytes, as on SQLite. Otherwise pages and unique texts would depend on the server's locale, and an
 * update of the system's collations could corrupt an index.
 */
export function postgresSchema(text: string): string {
  return text.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"');
}

/** Replaces each `?` outside of quotes and comments by `$1`, `$2`, …. */
export function postgresPlaceholders(text: string): string {
  let count = 0;
  return text.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?/g, (found) => {
    if (found !== '?') return found;
    count += 1;
    return `$${count}`;
  });
}
