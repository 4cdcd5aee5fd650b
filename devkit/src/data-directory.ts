/** The directory of everything that is kept: created when missing, and locked for one `npm start` at a time, whose chain, apps and `dev.env` are in it. */
import { Database } from 'bun:sqlite';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartProblem } from './start-settings.ts';

/** A connection that is collected as garbage would release its lock. */
const locks = new Set<Database>();

/**
 * The returned function releases it; so does the end of the process in any way, since the lock is the system's. Throws `StartProblem` while another start has the
 * directory, and the system's error when it cannot be used.
 */
export function holdDataDirectory(directory: string): () => void {
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
  const held = lock;
  locks.add(held);
  return () => {
    locks.delete(held);
    held.close();
  };
}
