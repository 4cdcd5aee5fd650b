/** One transaction on one connection: all statements are sent at once; the commit follows when all have succeeded and the caller still waits. */

import { Unavailable } from '@flowgate/base/unavailable';
import type { Row, Statement, TransactionOptions } from '../database.ts';
import type { PostgresSession } from './postgres-session.ts';

/** A call in flight. */
export type Call = {
  readonly deadlineMs: number;
  /** The caller has received an error already. */
  late: boolean;
  /** Called with the answer to `BEGIN`, which a running server sends at once, regardless of the other statements. */
  readonly onBegin: (answer: Promise<unknown>) => void;
  /** Called when the commit is sent. */
  readonly onCommit: () => void;
};

export type Outcome = {
  readonly rows: readonly (readonly Row[])[];
  /** `unknown`: the commit was sent, and its outcome is not known yet. */
  readonly end: 'committed' | 'rolled back' | 'unknown';
  readonly error?: unknown;
};

const beginReading = plain('BEGIN READ ONLY');
const commit = plain('COMMIT');
const rollback = plain('ROLLBACK');

/**
 * Never rejects. Every statement sees the changes that were committed before it began (READ COMMITTED), so a statement
 * after a lock sees the changes of earlier owners of the lock.
 */
export async function runTransaction(
  session: PostgresSession,
  call: Call,
  statements: readonly Statement[],
  { serializeOn, onlyIf }: TransactionOptions,
): Promise<Outcome> {
  const locks = serializeOn === undefined ? [] : [lockOn(serializeOn)];
  const conditions = onlyIf === undefined ? [] : [onlyIf];
  const before = [plain(session.begin), limitTo(call.deadlineMs), ...locks, ...conditions];
  const answers = await sendAll(session, call, [...before, ...statements]);
  // When the condition returns no row, the other statements were sent regardless; their outcome, even an error, is
  // irrelevant.
  const condition = onlyIf === undefined ? undefined : answers[before.length - 1];
  if (condition?.status === 'fulfilled' && condition.value.length === 0) return rollBack(session, undefined);
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (failed !== undefined) return rollBack(session, failed.reason);
  const rows = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (call.late) return rollBack(session, new Unavailable('database', 'no answer in time'));
  try {
    call.onCommit();
    if (await session.commit()) return { rows: rows.slice(before.length), end: 'committed' };
  } catch (error) {
    // A commit that was cancelled before it ran leaves the transaction open and aborted, which would fail the connection's next call.
    session.close('a commit failed');
    return { rows: [], end: 'unknown', error };
  }
  return { rows: [], end: 'rolled back', error: new Unavailable('database', 'the transaction was rolled back') };
}

/** A reading statement with a time limit of its own. */
export async function readWithin(session: PostgresSession, call: Call, statement: Statement) {
  const answers = await sendAll(session, call, [beginReading, limitTo(call.deadlineMs), statement, commit]);
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (failed !== undefined) {
    await rollBack(session, undefined);
    throw failed.reason;
  }
  const [, , read] = answers;
  return read?.status === 'fulfilled' ? read.value : [];
}

function sendAll(session: PostgresSession, call: Call, statements: readonly Statement[]) {
  const sent = statements.map((each) => session.send(each));
  if (sent[0] !== undefined) call.onBegin(sent[0]);
  return Promise.allSettled(sent);
}

async function rollBack(session: PostgresSession, error: unknown): Promise<Outcome> {
  try {
    await session.send(rollback);
  } catch {
    // When its connection ends, the server rolls it back.
    session.close('a transaction could not be rolled back');
  }
  return { rows: [], end: 'rolled back', ...(error === undefined ? {} : { error }) };
}

function plain(text: string): Statement {
  return { text, values: [] };
}

/** Limits the statements after it, until the transaction ends. */
function limitTo(ms: number): Statement {
  return { text: "SELECT set_config('statement_timeout', ?, true)", values: [`${Math.max(1, Math.ceil(ms))}ms`] };
}

/** Advisory locks are numbers; two names with the same number merely wait for each other. */
function lockOn(name: string): Statement {
  return { text: 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', values: [name] };
}
