/** Classifies errors of SQLite for the caller and for the connection. */

import { messageOf } from '@flowgate/base/text';

/**
 * `busy`: another connection has the lock; try again until the deadline. `full`: this write is impossible, the
 * connection works. `broken`: the file cannot be used; reopen it. `bug`: the statement is wrong.
 */
export type SqliteFault = 'busy' | 'full' | 'broken' | 'bug';

export function sqliteFault(error: unknown): SqliteFault {
  const code = sqliteCode(error);
  if (code === undefined) return 'bug';
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'busy';
  // The file system itself creates the log's index, and its failure has a code of its own.
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE') return 'full';
  if (/^SQLITE_(CONSTRAINT|MISMATCH|MISUSE|RANGE|TOOBIG)/.test(code)) return 'bug';
  // A missing table means another file under the same name, not a wrong statement.
  if (code === 'SQLITE_ERROR') return /^no such (table|column)/.test(messageOf(error)) ? 'broken' : 'bug';
  return 'broken';
}

/** `SQLITE_…`, or a system error's code (`ENOENT`), which also means that the file cannot be used. */
function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
