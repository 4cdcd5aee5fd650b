/** SQLite's settings and the reasons for them; `docs/reference/database.md` prints this table. */

export type Pragma = { readonly name: string; readonly value: string; readonly reason: string };

/** How long SQLite itself waits for a lock. Short, because the worker then serves reads before it tries again, until the call's deadline. */
export const busyTimeoutMs = 10;

/** `flow` in ASCII: a file without it is not a Flowgate database. */
export const applicationId = 0x666c6f77;

/** Set on every connection, in this order. `journal_mode` and `application_id` stay in the file. */
export const pragmas: readonly Pragma[] = [
  {
    name: 'busy_timeout',
    value: String(busyTimeoutMs),
    reason:
      'Milliseconds; far below the 500 ms deadline of a read, so that reads continue between two tries for a lock',
  },
  {
    name: 'journal_mode',
    value: 'WAL',
    reason: 'Readers and the writer do not wait for each other, and a commit is one append',
  },
  {
    name: 'synchronous',
    value: 'FULL',
    reason: 'Every commit is synced: a confirmed key survives a power cut',
  },
  {
    name: 'fullfsync',
    value: 'ON',
    reason: "macOS' plain fsync leaves data in the drive's cache; elsewhere without effect",
  },
  { name: 'foreign_keys', value: 'ON', reason: 'SQLite ignores references by default' },
  {
    name: 'trusted_schema',
    value: 'OFF',
    reason: 'A tampered file must not run functions through its views and triggers',
  },
  {
    name: 'wal_autocheckpoint',
    value: '1000',
    reason: 'Pages (4 MiB); short checkpoints, because the commit that starts one waits for it',
  },
  {
    name: 'journal_size_limit',
    value: '16777216',
    reason: 'Bytes; a write-ahead log that grew under a long read is cut back',
  },
  {
    name: 'mmap_size',
    value: '0',
    reason: 'A file that shrinks under a memory map kills the process; a failing read is an error',
  },
  { name: 'cache_size', value: '-8192', reason: 'KiB; the keys in use stay in memory' },
  { name: 'temp_store', value: 'MEMORY', reason: 'No temporary files, whose directory may be full or missing' },
];
