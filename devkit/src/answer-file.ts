/** Keeps the answers of Flow Apps in an SQLite file, so that a submission that is repeated after a restart is answered alike. */
import { Database } from 'bun:sqlite';
import type { AnswerStore } from '@flowgate/client/flow-app';

/** Sessions live for a day; no one retries after a week. */
const keptMs = 7 * 24 * 3_600_000;

/** Of one process or several; answers survive their end, and power cuts, for a week. `now` in milliseconds since the epoch. */
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
  database.query('DELETE FROM answers WHERE at_ms < ?').run(now() - keptMs);
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
