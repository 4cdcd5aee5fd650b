/** Classifies errors of PostgreSQL, and of connections to it, for the caller and for the connection. */

import { messageOf } from '@flowgate/base/text';
import { SQL } from 'bun';

/**
 * `lost`: the connection is gone, and it is unknown whether the call was executed. `late`: cancelled by its time limit.
 * `cannot`: the server works but refuses this now (read-only, disk full, no privilege, a deadlock). `strange`: the
 * tables are not those of the start; check again on a new connection. `bug`: the statement is wrong.
 */
export type PostgresFault = 'lost' | 'late' | 'cannot' | 'strange' | 'bug';

/** By the beginning of the SQLSTATE (PostgreSQL, appendix A); the longest match applies. Unlisted ones are `bug`. */
const faults: readonly (readonly [state: string, fault: PostgresFault])[] = [
  ['08', 'lost'], // connection exception
  ['57P', 'lost'], // shut down, crashed, starting up
  ['25P02', 'lost'], // an aborted transaction that should have ended: nothing was done, and the next call must not meet it
  ['25P03', 'lost'], // idle in a transaction for too long
  ['25P04', 'lost'], // transaction took too long
  ['57014', 'late'], // statement_timeout
  ['25006', 'cannot'], // read-only transaction
  ['40', 'cannot'], // deadlock, serialization
  ['42501', 'cannot'], // insufficient privilege
  ['53', 'cannot'], // disk full, out of memory, too many connections
  ['54', 'bug'], // a statement too large
  ['55', 'cannot'], // lock not available
  ['58', 'cannot'], // I/O error
  ['F0', 'cannot'], // configuration file
  ['XX', 'cannot'], // damaged page, internal error
  ['26', 'strange'], // a prepared statement that a pooler has lost
  ['42P01', 'strange'], // undefined table
  ['42703', 'strange'], // undefined column
  ['3F', 'strange'], // undefined schema
];

export function postgresFault(error: unknown): PostgresFault {
  const state = sqlStateOf(error);
  if (state === undefined) return error instanceof SQL.SQLError ? 'lost' : 'bug';
  // The type of a column changed under a prepared statement: another Flowgate has migrated.
  if (state === '0A000' && messageOf(error).startsWith('cached plan')) return 'strange';
  const matches = faults.filter(([start]) => state.startsWith(start));
  return matches.reduce<readonly [string, PostgresFault]>(
    (best, each) => (each[0].length > best[0].length ? each : best),
    ['', 'bug'],
  )[1];
}

/** Five characters; `undefined` when the error is not the server's. */
export function sqlStateOf(error: unknown): string | undefined {
  const state = error instanceof SQL.PostgresError ? error.errno : undefined;
  return state !== undefined && /^[0-9A-Z]{5}$/.test(state) ? state : undefined;
}

/**
 * Whether waiting may help at start: no server is listening yet, the server is starting, or all its connections are in
 * use.
 */
export function isTransient(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return /^(08|53|57P)/.test(state);
  return /_(REFUSED|TIMEOUT|CLOSED)$/.test(codeOf(error));
}

/** Why there is no connection, as a sentence for an operator, without the password. */
export function connectFailure(error: unknown, user: string): string {
  const state = sqlStateOf(error);
  if (state === '28P01') return `it does not accept the password of user ${user}`;
  if (state === '28000') return `it does not let user ${user} in: ${messageOf(error)}`;
  if (state !== undefined) return messageOf(error);
  const code = codeOf(error);
  if (code.endsWith('_REFUSED')) return 'nothing listens at this host and port';
  if (code.endsWith('_TIMEOUT')) return 'no answer in time while connecting';
  if (code.endsWith('_TLS_NOT_AVAILABLE')) return 'it does not offer TLS, but sslmode requires it';
  return messageOf(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
