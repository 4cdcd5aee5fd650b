/** Creates the data directory of `npm start` and locks it. The directory contains the chain, the sample apps' data and `dev.env`. */
import { Database } from 'bun:sqlite';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartProblem } from './start-settings.ts';

/** A lock ends when its connection is garbage collected, so this set references each. */
const locks = new Set<Database>();

/**
 * Returns a function that releases the lock. The system also releases it when the process ends in any way. Throws `StartProblem` while another start owns the
 * lock, and the system's error when the directory cannot be used.
 */
export function lockDataDirectory(directory: string): () => void {
  mkdirSync(join(directory, 'logs'), { recursive: true, mode: 0o700 });
  const file = join(directory, 'start.lock');
  let lock: Database | undefined;
  try {
    lock = new Database(file, { create: true, strict: true });
    chmodSync(file, 0o600);
    lock.run('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'SQLITE_BUSY')
      throw new StartProblem(
        `The data directory ${directory} is in use by another npm start. Stop that one, or run this one with a directory and ports of its own (npm start -- --help lists the options).`,
      );
    throw Object.assign(new Error(`${file} cannot be locked`, { cause: error }), { code, path: file });
  }
  const owned = lock;
  locks.add(owned);
  return () => {
    locks.delete(owned);
    owned.close();
  };
}
