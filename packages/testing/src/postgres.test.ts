import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

test('a process that has the id of a killed server is not ended when its tests have ended', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-ended-'));
  mkdirSync(join(directory, 'data'));
  const innocent = Bun.spawn(['sleep', '60']);
  writeFileSync(join(directory, 'data', 'postmaster.pid'), `${innocent.pid}\n`);
  const fixture = join(import.meta.dir, 'postgres.ts');
  const script = `(await import(${JSON.stringify(fixture)})).endWithThisProcess(${JSON.stringify(directory)})`;
  const tests = Bun.spawn([process.execPath, '-e', script], { stdout: 'ignore', stderr: 'ignore' });
  expect(await tests.exited).toBe(0);
  await until('the files are removed', () => !existsSync(directory));
  expect(innocent.signalCode).toBeNull();
  expect(() => process.kill(innocent.pid, 0)).not.toThrow();
  innocent.kill();
});
