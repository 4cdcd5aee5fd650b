/** The interface between the SQL stores and an engine: query text with `?` placeholders in, rows out. */

import type { Dialect } from './dialect.ts';

/** Times are BIGINT milliseconds, digests hex TEXT, lists JSON TEXT: types that all engines store alike. */
export type SqlValue = string | number | null;

export type Statement = {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /**
   * A hint for statements that cost much and are seldom needed: unless this query returns a row, the statement would
   * change nothing and return none. SQLite then does not run it; PostgreSQL, which receives all statements at once,
   * does.
   */
  readonly idleUnless?: Statement;
};

export type Row = Readonly<Record<string, unknown>>;

export type QueryOptions = {
  /** Milliseconds until the call fails as `Unavailable`; by default the engine's deadline for calls that a request waits for. */
  readonly deadlineMs?: number;
};

export type TransactionOptions = QueryOptions & {
  /**
   * Transactions with the same name run one after another, across all processes on the database: for a statement that
   * depends on a count. SQLite has one writer at a time anyway; PostgreSQL takes a transaction-scoped advisory lock
   * before the first statement.
   */
  readonly serializeOn?: string;
  /**
   * May write when the disk is full, from the space reserved for such writes (SQLite only; the operator manages
   * PostgreSQL's disk).
   */
  readonly usesReserve?: boolean;
  /**
   * For data that is worthless once the machine has stopped, such as a lease on SQLite, whose processes share a
   * machine: the commit is not synced. A crash of the process loses nothing, and a later synced commit makes it
   * durable. PostgreSQL always syncs, because its gateways survive a stop of its machine.
   */
  readonly isLostWithPower?: boolean;
  /**
   * Runs before the others (after taking the lock of `serializeOn`). When it returns no row, the transaction does
   * nothing and the result is `[]`: for a fence.
   */
  readonly onlyIf?: Statement;
  /**
   * The compensation of this transaction: statements that run in a transaction of their own when this one was
   * committed, or may have been, although its caller received `Unavailable`. They run only once this transaction can no
   * longer be committed, so they must be harmless when it was not. They are retried until they succeed. Only the end of
   * the process drops them: `close` waits for them, within its limit, and reports pending ones to `onTrouble`.
   */
  readonly undo?: readonly Statement[];
};

/**
 * Both calls throw `Unavailable` when the database cannot serve or does not answer within the deadline, and a plain Error for a wrong statement (a bug). A call
 * whose deadline passed before it was started never runs.
 */
export type Database = {
  readonly dialect: Dialect;
  /** One statement that only reads. Concurrent calls have no order; await the first to see its effect in the second. */
  query(text: string, values: readonly SqlValue[], options?: QueryOptions): Promise<readonly Row[]>;
  /** All statements or none, durable when it resolves. Returns one list of rows (`RETURNING`) for each statement. */
  transaction(statements: readonly Statement[], options?: TransactionOptions): Promise<readonly (readonly Row[])[]>;
  /** Whether a read succeeds now, for `/readyz`. */
  ping(): Promise<void>;
  /** Waits for the calls in progress, then closes. Later calls throw `Unavailable`. */
  close(): Promise<void>;
};
