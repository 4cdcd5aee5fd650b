/** Remembers an app's answer to each submission, so that a retry gets the same answer and has no second effect. */
import { Database } from 'bun:sqlite';
import type { RenderResponse } from '@flowgate/client/flow-wire';

export type EffectJournal = {
  /**
   * The answer stored under `key`, otherwise the answer of `act`, which is stored before it is returned. Copies of a key that arrive together wait for one `act`. An
   * answer with errors is not stored: nothing happened, and the caller may try again. Nothing is stored either when `act` throws, or when the process ends between
   * the effect and this entry: so an effect must tolerate being requested again, like a signed transaction, which a chain executes once.
   */
  readonly answer: (key: string, act: () => Promise<RenderResponse>) => Promise<RenderResponse>;
  readonly close: () => void;
};

type Entries = {
  readonly find: (key: string) => string | undefined;
  readonly keep: (key: string, answer: string) => void;
  readonly close: () => void;
};

/** Sessions live for a day; nobody retries after a week. */
const keptMs = 7 * 24 * 3_600_000;
const mostInMemory = 10_000;

/** Is lost with the process; beyond 10 000 answers the oldest are dropped. */
export function createMemoryJournal(): EffectJournal {
  const answers = new Map<string, string>();
  return journalOver({
    find: (key) => answers.get(key),
    keep: (key, answer) => {
      answers.set(key, answer);
      const oldest = answers.size > mostInMemory ? answers.keys().next().value : undefined;
      if (oldest !== undefined) answers.delete(oldest);
    },
    close: () => {},
  });
}

/** In an SQLite file of one process; entries survive its end, and power cuts, for a week. `now` in milliseconds since the epoch. */
export function openJournalFile(file: string, now: () => number = Date.now): EffectJournal {
  const database = new Database(file, { create: true, strict: true });
  database.run('PRAGMA journal_mode = WAL');
  database.run('PRAGMA synchronous = FULL');
  database.run(
    'CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL, at_ms INTEGER NOT NULL)',
  );
  database.query('DELETE FROM answers WHERE at_ms < ?').run(now() - keptMs);
  const find = database.query<{ answer: string }, [string]>('SELECT answer FROM answers WHERE key = ?');
  const keep = database.query('INSERT INTO answers (key, answer, at_ms) VALUES (?, ?, ?)');
  return journalOver({
    find: (key) => find.get(key)?.answer,
    keep: (key, answer) => {
      keep.run(key, answer, now());
    },
    close: () => database.close(),
  });
}

function journalOver(entries: Entries): EffectJournal {
  const running = new Map<string, Promise<RenderResponse>>();
  const actAndKeep = async (key: string, act: () => Promise<RenderResponse>): Promise<RenderResponse> => {
    const answer = await act();
    if ((answer.errors ?? []).length === 0) entries.keep(key, JSON.stringify(answer));
    return answer;
  };
  return {
    answer: async (key, act) => {
      const kept = entries.find(key);
      if (kept !== undefined) return JSON.parse(kept);
      const underWay = running.get(key) ?? actAndKeep(key, act).finally(() => running.delete(key));
      running.set(key, underWay);
      return underWay;
    },
    close: entries.close,
  };
}
