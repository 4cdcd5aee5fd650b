/** `npm test` ends with the names of the failed tests, so that the last lines of a long run are enough. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAttemptReader, readTestReport } from '../../scripts/test-report.mjs';

const fixture = `
import { describe, expect, test } from 'bun:test';
describe('a <group>', () => {
  test('breaks & reports', () => expect('left').toBe('right'));
  test('holds', () => expect(1).toBe(1));
  test('throws', () => { throw new Error('first line\\nsecond line'); });
});
test('never ends', () => new Promise(() => {}), 20);
`;

test('a report names each failure with its file and message, and no passed test', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-report-'));
  try {
    const report = join(directory, 'junit.xml');
    writeFileSync(join(directory, 'some.test.ts'), fixture);
    const child = Bun.spawn(
      [process.execPath, 'test', '--reporter=junit', `--reporter-outfile=${report}`, './some.test.ts'],
      { cwd: directory, stdout: 'ignore', stderr: 'ignore' },
    );
    expect(await child.exited).not.toBe(0);
    const { failures = [], files = [], ...totals } = readTestReport(report) ?? {};
    expect(totals).toEqual({ tests: 4, failed: 3, skipped: 0 });
    expect(files).toEqual([{ file: 'some.test.ts', seconds: expect.any(Number) }]);
    expect(failures).toHaveLength(3);
    expect(failures[0]).toStartWith('some.test.ts: a <group> > breaks & reports\n');
    expect(failures[0]).toContain('"left"');
    expect(failures[1]).toStartWith('some.test.ts: a <group> > throws\n    Error: first line\n    second line');
    expect(failures[2]).toBe('some.test.ts: never ends\n    test timed out');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('a test that passes at its second attempt is found, with and without colors', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-report-'));
  try {
    writeFileSync(
      join(directory, 'some.test.ts'),
      `import { expect, test } from 'bun:test';
      let attempts = 0;
      test('succeeds later', () => expect(++attempts).toBe(2), { retry: 1 });
      test('succeeds at once (attempt 1 of 1)', () => expect(1).toBe(1));`,
    );
    for (const colors of ['0', '1']) {
      const child = Bun.spawn([process.execPath, 'test', './some.test.ts'], {
        ...{ cwd: directory, env: { ...process.env, FORCE_COLOR: colors }, stdout: 'ignore', stderr: 'pipe' },
      });
      const attempts = createAttemptReader();
      for (const character of await new Response(child.stderr).text()) attempts.read(character);
      expect(await child.exited).toBe(0);
      expect(attempts.found).toEqual(['succeeds later (attempt 2): a test that fails once has failed']);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('a run that wrote no report has no failures to list', () => {
  expect(readTestReport(join(tmpdir(), 'no such report.xml'))).toBeUndefined();
});
