/** `npm test [-- FILTER…]`: type check, lint and every test, files side by side; the last line is `N passed, N failed`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileGateway } from './compile-gateway.mjs';
import { buildConsole } from './console-build.mjs';
import { ensureInstalled, repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';
import { runStaticChecks } from './static-checks.mjs';
import { readTestReport } from './test-report.mjs';

/** Test files wait for processes, disks and leases as much as they compute, so two workers more than there are cores keep the cores busy. */
const sideBySide = `--parallel=${availableParallelism() + 2}`;

/** Tests of whole clusters, whose every answer is checked against the history. They wait for leases and time-outs more than they compute: two of them leave a core idle most of the time. */
const clusters = 'gateway/test/cluster/';
const clustersSideBySide = '--parallel=2';
/** This one is under full load all the time and runs alone: a delay by another test would look like a delay by a fault. */
const drill = `${clusters}faults.test.ts`;

/** Milliseconds after which a part counts as hung: far longer than any machine needs for it. */
const limitMs = 20 * 60_000;

/** The most failures that are listed, so that many failures with one cause do not push the totals out of sight. */
const shownFailures = 20;

const bun = await ensureInstalled();
const parts = [await runStaticChecks(), ...(await runTests(process.argv.slice(2)))];
const sum = (count) => parts.reduce((total, part) => total + part[count], 0);
const failures = parts.flatMap((part) => part.failures);
// Repeated at the end, for readers who see only the last lines.
if (failures.length > 0) console.log(`\n— what failed\n${failures.slice(0, shownFailures).join('\n')}`);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

async function runTests(filters) {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-test-'));
  try {
    // Tests start hundreds of gateways, and starting one from its sources takes half a second of a core.
    const executable = join(directory, 'flowgate');
    const code = (await buildConsole(bun, ['--if-needed'])) || (await compileGateway(bun, executable));
    if (code !== 0) return [judge(undefined, code)];
    const run = (name, selection) => runPart(name, selection, { directory, executable });
    if (filters.length > 0) return [await run('tests', [sideBySide, ...filters])];
    return [
      await run('tests', [sideBySide, `--path-ignore-patterns=${clusters}**`]),
      await run('tests of clusters', [clustersSideBySide, `--path-ignore-patterns=${drill}`, clusters]),
      await run('faults of a cluster', [drill]),
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function runPart(name, selection, { directory, executable }) {
  console.log(`\n— ${name}`);
  const report = join(directory, 'junit.xml');
  const env = { ...process.env, FLOWGATE_TEST_EXECUTABLE: executable, FLOWGATE_TEST_DIRECTORY: directory };
  try {
    const args = ['test', '--reporter=junit', `--reporter-outfile=${report}`, ...selection];
    const code = await runChild(bun, args, { cwd: repositoryRoot, env, limitMs });
    return judge(readTestReport(report), code);
  } finally {
    rmSync(report, { force: true });
  }
}

/** The report contains only tests that ran. A crash, a file that could not be loaded or an empty run shows in the exit code or in a total of zero. */
function judge(report, code) {
  const problems = [];
  if (report === undefined) problems.push(`the test runner left no report (exit ${code})`);
  else if (report.tests === 0) problems.push('no test ran');
  else if (code !== 0 && report.failed === 0)
    problems.push(`the test runner ended with ${code} although no test failed`);
  const { tests, failed, skipped, failures } = report ?? { tests: 0, failed: 0, skipped: 0, failures: [] };
  const forbidden = process.env.CI === 'true' ? skipped : 0;
  if (forbidden > 0) problems.push(`${forbidden} skipped, which CI=true forbids`);
  return {
    passed: tests - failed - skipped,
    failed: failed + problems.length + Math.max(0, forbidden - 1),
    skipped: skipped - forbidden,
    failures: [...failures, ...problems],
  };
}
