/** `npm test` ends with the names of the failures, so that the last lines of a long run are enough. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTestReport } from '../../../scripts/test-report.mjs';

const fixture = `
import { describe, expect, test } from 'bun:test';
describe('a <room>', () => {
  test('breaks & tells', () => expect('left').toBe('right'));
  test('holds', () => expect(1).toBe(1));
  test('throws', () => { throw new Error('first line\\nsecond line'); });
});
test('never ends', () => new Promise(() => {}), 20);
`;

test('a report names each failure with its file and message, and nothing that passed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-report-'));
  try {
    const report = join(directory, 'junit.xml');
    writeFileSync(join(directory, 'some.test.ts'), fixture);
    const child = Bun.spawn(
      [process.execPath, 'test', '--reporter=junit', `--reporter-outfile=${report}`, './some.test.ts'],
      { cwd: directory, stdout: 'ignore', stderr: 'ignore' },
    );
    expect(await child.exited).not.toBe(0);
    const { failures = [], ...totals } = readTestReport(report) ?? {};
    expect(totals).toEqual({ tests: 4, failed: 3, skipped: 0 });
    expect(failures).toHaveLength(3);
    expect(failures[0]).toStartWith('some.test.ts: a <room> > breaks & tells\n');
    expect(failures[0]).toContain('"left"');
    expect(failures[1]).toStartWith('some.test.ts: a <room> > throws\n    Error: first line\n    second line');
    expect(failures[2]).toBe('some.test.ts: never ends\n    test timed out');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('a run that left no report has none', () => {
  expect(readTestReport(join(tmpdir(), 'no such report.xml'))).toBeUndefined();
});
