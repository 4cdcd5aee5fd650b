/**
 * The writes of a database thread: those that wait at the same time share a commit, and each gets its reply when it is
 * durable.
 */

import type { Database as Sqlite } from 'bun:sqlite';
import type { Row } from '../database.ts';
import { nextCommit } from './next-commit.ts';
import { type Failure, runStatement, type SqliteConnection } from './sqlite-connection.ts';
import type { WorkerRequest } from './sqlite-messages.ts';
import type { SqliteReplies } from './sqlite-replies.ts';
import type { SqliteReserve } from './sqlite-reserve.ts';

type Rows = readonly (readonly Row[])[];
type CommitFailure = Failure & { readonly mayBeStored: boolean };

const diskFull: Failure = { fault: 'full', message: 'the disk is full; its reserve is for revocations' };

export class SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #replies: SqliteReplies;
  /** Absent in the reading thread, which gets no writes. */
  readonly #reserve: SqliteReserve | undefined;
  #waiting: WorkerRequest[] = [];
  #synced: { readonly connection?: Sqlite; readonly mode: 'FULL' | 'NORMAL' } = { mode: 'FULL' };

  constructor(connection: SqliteConnection, replies: SqliteReplies, reserve: SqliteReserve | undefined) {
    this.#connection = connection;
    this.#replies = replies;
    this.#reserve = reserve;
  }

  add(request: WorkerRequest): void {
    this.#waiting.push(request);
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  /** Makes the next commit. `busy`: another process has the lock. */
  serve(): 'busy' | undefined {
    const { group: next, left } = nextCommit(this.#replies.awaited(this.#waiting));
    this.#waiting = left;
    const group = this.#withinReserve(next);
    if (group.length === 0) return undefined;
    const failure = this.#commit(group);
    if (failure === undefined) return undefined;
    if (failure.fault === 'busy') {
      this.#waiting = group.concat(this.#waiting);
      return 'busy';
    }
    if (failure.mayBeStored) {
      for (const request of group) this.#conclude(request, failure);
      return undefined;
    }
    const [first, ...others] = group;
    if (first !== undefined && others.length === 0)
      this.#conclude(first, failure.fault === 'full' ? this.#commitFromReserve(first, failure) : failure);
    // One request made the commit of the whole group fail, so each is tried alone.
    else
      for (const request of group)
        if (this.#withinReserve([request]).length > 0) this.#conclude(request, this.#commitFromReserve(request));
    return undefined;
  }

  /** Replies to a request that was tried alone. */
  #conclude(request: WorkerRequest, failure: CommitFailure | undefined): void {
    if (failure?.fault === 'busy') this.#waiting.push(request);
    else if (failure !== undefined) this.#replies.fail(request, failure.message, failure.fault, failure.mayBeStored);
  }

  /** Returns the requests that may be written now, and replies to the others. */
  #withinReserve(group: readonly WorkerRequest[]): readonly WorkerRequest[] {
    if (group.length === 0 || this.#reserve?.isWhole() !== false) return group;
    this.#connection.noteTrouble(diskFull);
    for (const request of group)
      if (request.usesReserve !== true) this.#replies.fail(request, diskFull.message, diskFull.fault);
    return group.filter(({ usesReserve }) => usesReserve === true);
  }

  /** Commits one request alone, from the reserve if needed. `failure`: the outcome of an attempt without the reserve. */
  #commitFromReserve(request: WorkerRequest, failure = this.#commit([request])): CommitFailure | undefined {
    let outcome = failure;
    while (outcome?.fault === 'full' && request.usesReserve === true && this.#reserve?.release())
      outcome = this.#commit([request]);
    return outcome;
  }

  /** All of a group in one transaction; replies when it is durable. A wrong statement fails only its own request. */
  #commit(group: readonly WorkerRequest[]): CommitFailure | undefined {
    let isCommitting = false;
    const outcomes = this.#connection.attempt((connection) => {
      this.#sync(connection, group.some(({ isLostWithPower }) => isLostWithPower !== true) ? 'FULL' : 'NORMAL');
      connection.run('BEGIN IMMEDIATE');
      try {
        const ran = group.map((request) =>
          this.#replies.isAbandoned(request) ? undefined : this.#runApart(connection, request),
        );
        isCommitting = true;
        this.#replies.whileCommitting(() => connection.run('COMMIT'));
        return ran;
      } catch (error) {
        if (connection.inTransaction) connection.run('ROLLBACK');
        throw error;
      }
    }, true);
    // If the log could not be synced, the commit may still be found when the log is read again. A commit that had no
    // room, or had to wait, is certainly not stored.
    if ('fault' in outcomes) return { ...outcomes, mayBeStored: isCommitting && outcomes.fault === 'broken' };
    // A commit that used the reserve does not show that the disk has room.
    if (this.#connection.trouble !== 'full' || group.some(({ usesReserve }) => usesReserve !== true))
      this.#connection.noteTrouble(undefined);
    for (const [at, request] of group.entries()) this.#settle(request, outcomes[at]);
    return undefined;
  }

  /** Takes effect with the next commit. A later synced commit makes earlier ones durable as well, because they are in the same log. */
  #sync(connection: Sqlite, mode: 'FULL' | 'NORMAL'): void {
    if (this.#synced.connection === connection && this.#synced.mode === mode) return;
    connection.run(`PRAGMA synchronous = ${mode}`);
    this.#synced = { connection, mode };
  }

  #runApart(connection: Sqlite, request: WorkerRequest): Rows | Failure {
    run(connection, 'SAVEPOINT request');
    try {
      const refused = request.onlyIf !== undefined && runStatement(connection, request.onlyIf).length === 0;
      const rows = refused ? [] : request.statements.map((statement) => runStatement(connection, statement));
      if (refused) run(connection, 'ROLLBACK TO request');
      run(connection, 'RELEASE request');
      return rows;
    } catch (error) {
      const failure = this.#connection.failureOf(error);
      if (failure.fault !== 'bug' || !connection.inTransaction) throw error;
      run(connection, 'ROLLBACK TO request');
      run(connection, 'RELEASE request');
      return failure;
    }
  }

  #settle(request: WorkerRequest, outcome: Rows | Failure | undefined): void {
    if (outcome === undefined) this.#replies.fail(request, 'past its deadline');
    else if ('fault' in outcome) this.#replies.fail(request, outcome.message, outcome.fault);
    else this.#replies.succeed(request, outcome);
  }
}

/** Prepared once, unlike `connection.run`. */
function run(connection: Sqlite, text: string): void {
  connection.query(text).run();
}
