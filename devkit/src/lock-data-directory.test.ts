/** One `npm start` at a time uses a data directory. */
import { expect, test } from 'bun:test';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanupAfterEach } from '../test/cleanups.ts';
import { lockDataDirectory } from './lock-data-directory.ts';
import { StartProblem } from './start-settings.ts';

const { directory: newDirectory } = cleanupAfterEach();

test('a locked directory is refused by name, also after a garbage collection, until its lock is released', () => {
  const data = join(newDirectory(), 'not', 'there', 'yet');
  const releaseLock = lockDataDirectory(data);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  Bun.gc(true);
  const attempt = () => lockDataDirectory(data);
  expect(attempt).toThrow(StartProblem);
  expect(attempt).toThrow(`${data} is in use by another npm start`);
  releaseLock();
  lockDataDirectory(data)();
});

test('the lock of a process that was killed is free', async () => {
  const data = newDirectory();
  const script = `require(${JSON.stringify(join(import.meta.dir, 'lock-data-directory.ts'))}).lockDataDirectory(process.argv[1]); console.log('locked'); setInterval(() => Bun.gc(true), 50);`;
  const holder = Bun.spawn([process.execPath, '-e', script, data], { stdout: 'pipe' });
  await holder.stdout.getReader().read();
  expect(() => lockDataDirectory(data)).toThrow(StartProblem);
  holder.kill('SIGKILL');
  await holder.exited;
  lockDataDirectory(data)();
});

test('a path that cannot be a data directory throws the system’s error with its path', () => {
  const directory = newDirectory();
  const file = join(directory, 'file');
  writeFileSync(file, '');
  expect(() => lockDataDirectory(file)).toThrow(
    expect.objectContaining({ code: 'ENOTDIR', path: expect.stringContaining(file) }),
  );
  writeFileSync(
    join(directory, 'start.lock'),
    'no lock of ours, and long enough to be read as a database that it is not. '.repeat(20),
  );
  expect(() => lockDataDirectory(directory)).toThrow(
    expect.objectContaining({ code: 'SQLITE_NOTADB', path: join(directory, 'start.lock') }),
  );
});
