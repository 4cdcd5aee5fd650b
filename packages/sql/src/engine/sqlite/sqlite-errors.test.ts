import { expect, test } from 'bun:test';
import { type SqliteFault, sqliteFault } from './sqlite-errors.ts';

const faults: readonly (readonly [string, string, SqliteFault])[] = [
  ['SQLITE_BUSY', 'database is locked', 'busy'],
  ['SQLITE_BUSY_RECOVERY', 'database is locked', 'busy'],
  ['SQLITE_LOCKED_SHAREDCACHE', 'database table is locked', 'busy'],
  ['SQLITE_FULL', 'database or disk is full', 'full'],
  ['SQLITE_IOERR_SHMSIZE', 'disk I/O error', 'full'],
  ['SQLITE_READONLY', 'attempt to write a readonly database', 'broken'],
  ['SQLITE_READONLY_DBMOVED', 'attempt to write a readonly database', 'broken'],
  ['SQLITE_IOERR_FSYNC', 'disk I/O error', 'broken'],
  ['SQLITE_CORRUPT', 'database disk image is malformed', 'broken'],
  ['SQLITE_NOTADB', 'file is not a database', 'broken'],
  ['SQLITE_CANTOPEN', 'unable to open database file', 'broken'],
  ['SQLITE_NOMEM', 'out of memory', 'broken'],
  ['ENOENT', 'no such file or directory', 'broken'],
  ['EACCES', 'permission denied', 'broken'],
  ['SQLITE_ERROR', 'no such table: api_keys', 'broken'],
  ['SQLITE_ERROR', 'near "SELEKT": syntax error', 'bug'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'UNIQUE constraint failed: api_keys.key_id', 'bug'],
  ['SQLITE_MISMATCH', 'datatype mismatch', 'bug'],
];

for (const [code, message, fault] of faults)
  test(`${code} (${message}) is ${fault}`, () => {
    expect(sqliteFault(Object.assign(new Error(message), { code }))).toBe(fault);
  });

test('an error without a code is a bug', () => {
  expect(sqliteFault(new TypeError('x is not a function'))).toBe('bug');
  expect(sqliteFault('thrown text')).toBe('bug');
});
