/** One `npm start` has a data directory to itself. */
import { expect, test } from 'bun:test';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanupAfterEach } from '../test/cleanups.ts';
import { holdDataDirectory } from './data-directory.ts';
import { StartProblem } from './start-settings.ts';

const { directory: newDirectory } = cleanupAfterEach();

test('a directory that is held is refused by name, also after what is left over was collected, and free again once it was let go', () => {
  const data = join(newDirectory(), 'not', 'there', 'yet');
  const letGo = holdDataDirectory(data);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  Bun.gc(true);
  const attempt = () => holdDataDirectory(data);
  expect(attempt).toThrow(StartProblem);
  expect(attempt).toThrow(`${data} is in use by another npm start`);
  letGo();
  holdDataDirectory(data)();
});

test('the lock of a process that was killed is free', async () => {
  const data = newDirectory();
  const script = `require(${JSON.stringify(join(import.meta.dir, 'data-directory.ts'))}).holdDataDirectory(process.argv[1]); console.log('held'); setInterval(() => Bun.gc(true), 50);`;
  const holder = Bun.spawn([process.execPath, '-e', script, data], { stdout: 'pipe' });
  await holder.stdout.getReader().read();
  expect(() => holdDataDirectory(data)).toThrow(StartProblem);
  holder.kill('SIGKILL');
  await holder.exited;
  holdDataDirectory(data)();
});

test('a path that cannot be a data directory is an error of the system with its path, for a sentence instead of a stack trace', () => {
  const directory = newDirectory();
  const file = join(directory, 'file');
  writeFileSync(file, '');
  expect(() => holdDataDirectory(file)).toThrow(
    expect.objectContaining({ code: 'ENOTDIR', path: expect.stringContaining(file) }),
  );
  writeFileSync(
    join(directory, 'start.lock'),
    'no lock of ours, and long enough to be read as a database that it is not. '.repeat(20),
  );
  expect(() => holdDataDirectory(directory)).toThrow(
    expect.objectContaining({ code: 'SQLITE_NOTADB', path: join(directory, 'start.lock') }),
  );
});
