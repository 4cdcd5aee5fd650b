/** `npm test [-- FILTER…]`: type check, lint and every test, files side by side; the last line is `N passed, N failed`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';
import { runStaticChecks } from './static-checks.mjs';

/** Test files wait for processes, disks and leases as much as they compute: one worker more than there are cores keeps the cores busy. */
const sideBySide = `--parallel=${availableParallelism() + 1}`;

/** Whole clusters under load, whose every answer is held against what may have happened by then: they have the machine to themselves. */
const clusters = 'gateway/test/cluster/';

const bun = await ensureInstalled();
const checks = await runStaticChecks();
const tests = await runTests(process.argv.slice(2));
const passed = checks.passed + tests.passed;
const failed = checks.failed + tests.failed;
const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : '';
console.log(`\n${passed} passed, ${failed} failed${skipped}`);
process.exitCode = failed === 0 ? 0 : 1;

async function runTests(filters) {
  if (filters.length > 0) return runPart('tests', [sideBySide, ...filters]);
  const most = await runPart('tests', [sideBySide, `--path-ignore-patterns=${clusters}**`]);
  const rest = await runPart('tests of clusters', [clusters]);
  return {
    passed: most.passed + rest.passed,
    failed: most.failed + rest.failed,
    skipped: most.skipped + rest.skipped,
  };
}

async function runPart(name, selection) {
  console.log(`\n— ${name}`);
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-report-'));
  const report = join(directory, 'junit.xml');
  try {
    const args = ['test', '--timeout=20000', '--reporter=junit', `--reporter-outfile=${report}`, ...selection];
    const code = await runChild(bun, args, { cwd: repositoryRoot });
    return judge(readTotals(report), code);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The report holds only what ran: a crash, a file that could not be loaded or an empty run shows in the exit code or the zero. */
function judge(totals, code) {
  const problems = [];
  if (totals === undefined) problems.push(`the test runner left no report (exit ${code})`);
  else if (totals.tests === 0) problems.push('no test ran');
  else if (code !== 0 && totals.failed === 0)
    problems.push(`the test runner ended with ${code} although no test failed`);
  for (const problem of problems) console.log(`Failure: ${problem}`);
  const { tests, failed, skipped } = totals ?? { tests: 0, failed: 0, skipped: 0 };
  const forbidden = process.env.CI === 'true' ? skipped : 0;
  if (forbidden > 0) console.log(`Failure: ${forbidden} skipped, which CI=true forbids`);
  return {
    passed: tests - failed - skipped,
    failed: failed + forbidden + problems.length,
    skipped: skipped - forbidden,
  };
}

/** The totals stand on the report's root element; test names cannot be mistaken for them. */
function readTotals(report) {
  const root = /<testsuites\b[^>]*>/.exec(readOrEmpty(report))?.[0];
  if (root === undefined) return undefined;
  const count = (name) => Number(new RegExp(`\\s${name}="(\\d+)"`).exec(root)?.[1] ?? 0);
  return { tests: count('tests'), failed: count('failures') + count('errors'), skipped: count('skipped') };
}

function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
