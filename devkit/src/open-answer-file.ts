/** Stores the answers of Flow Apps in an SQLite file, so that a submission repeated after a restart gets the same answer. */
import { Database } from 'bun:sqlite';
import type { AnswerStore } from '@flowgate/client/flow-app';

/** A session lasts one day, so no gateway retries a submission after a week. */
const retentionMs = 7 * 24 * 3_600_000;

/** Shared by one process or several. Answers survive a restart or a power cut for one week. `now` is in milliseconds since the epoch. */
export function openAnswerFile(
  file: string,
  now: () => number = Date.now,
): AnswerStore & { readonly close: () => void } {
  const database = new Database(file, { create: true, strict: true });
  database.run('PRAGMA journal_mode = WAL');
  database.run('PRAGMA synchronous = FULL');
  database.run('PRAGMA busy_timeout = 2000');
  database.run(
    'CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL, at_ms INTEGER NOT NULL)',
  );
  database.query('DELETE FROM answers WHERE at_ms < ?').run(now() - retentionMs);
  const find = database.query<{ answer: string }, [string]>('SELECT answer FROM answers WHERE key = ?');
  const insert = database.query('INSERT OR IGNORE INTO answers (key, answer, at_ms) VALUES (?, ?, ?)');
  return {
    find: (key) => find.get(key)?.answer,
    keep: (key, answer) => {
      insert.run(key, answer, now());
      return find.get(key)?.answer ?? answer;
    },
    close: () => database.close(),
  };
}
