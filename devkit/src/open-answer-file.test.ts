/** The file with the sample apps' answers survives a restart and drops old answers. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAnswerFile } from './open-answer-file.ts';

test('an answer survives a restart, is never overwritten, and is dropped after a week', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-answers-'));
  const file = join(directory, 'answers.db');
  const first = openAnswerFile(file);
  // Another process has the file open at the same time.
  const other = openAnswerFile(file);
  expect(first.find('k')).toBeUndefined();
  expect(await first.keep('k', 'one')).toBe('one');
  expect(await other.keep('k', 'two')).toBe('one');
  first.close();
  other.close();

  const second = openAnswerFile(file);
  expect(second.find('k')).toBe('one');
  second.close();

  const third = openAnswerFile(file, () => Date.now() + 8 * 24 * 3_600_000);
  expect(third.find('k')).toBeUndefined();
  third.close();
  rmSync(directory, { recursive: true, force: true });
});
