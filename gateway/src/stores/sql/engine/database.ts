/** What the SQL stores need from an engine: query text with `?` placeholders goes in, rows come out. */

import type { Dialect } from './dialect.ts';

/** Times are BIGINT milliseconds, digests hex TEXT, lists JSON TEXT: what every engine keeps alike. */
export type SqlValue = string | number | null;

export type Statement = {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /**
   * A hint, for what is seldom needed and costs much: unless this query gives a row, the statement would change nothing and give none. SQLite then does not run it; PostgreSQL, to which all
   * statements are sent at once, does.
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
   * Transactions with the same name run one after another, across all processes on the database: for a statement that decides by what it counts. SQLite has one
   * writer at a time anyway; PostgreSQL takes a transaction-scoped advisory lock before the first statement.
   */
  readonly serialiseOn?: string;
  /** Goes on when the disk is full: what is kept back is for this (SQLite; PostgreSQL's disk is not ours to keep anything back on). */
  readonly usesReserve?: boolean;
  /**
   * For what means nothing once the machine has stopped, such as a lease on SQLite, whose processes share a machine: the commit is not synced. The end of a process loses nothing, and whatever
   * is committed after it is not kept without it. PostgreSQL, whose gateways outlive it, syncs all the same.
   */
  readonly isLostWithPower?: boolean;
  /** Runs before the others (behind `serialiseOn`'s lock). When it gives no row, nothing of the transaction is done and the answer is `[]`: for a fence. */
  readonly onlyIf?: Statement;
  /**
   * Runs when the transaction was committed, or may have been, but its caller was told `Unavailable`; and only after it can no longer be committed. So it must be harmless
   * when there is nothing to undo. It is tried until it is done. Only the process' end forgets it: `close` waits for it, within its limit, and tells `onTrouble` what is left.
   */
  readonly undo?: Statement;
};

/**
 * Both calls throw `Unavailable` when the database cannot serve or does not answer within the deadline, and a plain Error for a mistake in the statement (a bug). A call that
 * is past its deadline before it was started is never run.
 */
export type Database = {
  readonly dialect: Dialect;
  /** One reading statement. Calls under way at once are not ordered among each other; await the first to see its effect in the second. */
  query(text: string, values: readonly SqlValue[], options?: QueryOptions): Promise<readonly Row[]>;
  /** All statements or none, durable when it returns; one list of rows (`RETURNING`) for each. */
  transaction(statements: readonly Statement[], options?: TransactionOptions): Promise<readonly (readonly Row[])[]>;
  /** Whether a read goes through now, for `/readyz`. */
  ping(): Promise<void>;
  /** Lets calls under way end, then closes. Later calls throw `Unavailable`. */
  close(): Promise<void>;
};
