/** `npm test [-- FILTER…]`: type check, lint and every test, files side by side; the last line is `N passed, N failed`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileGateway } from './compile-gateway.mjs';
import { buildConsole } from './console-build.mjs';
import { ensureInstalled, repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';
import { runStaticChecks } from './static-checks.mjs';
import { createAttemptReader, readTestReport } from './test-report.mjs';

/** Test files wait for processes, disks and leases as much as they compute, so two workers more than there are cores keep the cores busy. */
const sideBySide = `--parallel=${availableParallelism() + 2}`;

/** A browser is several processes that compute: with more of them than cores, a page takes longer than a test waits for it. */
const browsers = ['console/test/', 'gateway/test/wire/reference-page.test.ts'];
const browsersSideBySide = `--parallel=${availableParallelism()}`;

/** Tests of whole clusters, whose every answer is checked against the history. They wait for leases and time-outs more than they compute: two of them leave a core idle most of the time. */
const clusters = 'gateway/test/cluster/';
const clustersSideBySide = '--parallel=2';

/** Tests that measure time or growth, and a cluster under full load: another test's work would look like their own. One worker, because only workers apply the preloads to each file. */
const alone = '.alone.test.ts';
const oneByOne = '--parallel=1';

/** Milliseconds after which a part counts as hung: far longer than any machine needs for it. */
const limitMs = 20 * 60_000;

/** The most failures that are listed, so that many failures with one cause do not push the totals out of sight. */
const shownFailures = 20;

/** The slowest test files, which are listed when every test ran. */
const shownFiles = 10;

const bun = await ensureInstalled();
const parts = [await runStaticChecks(), ...(await runTests(process.argv.slice(2)))];
const sum = (count) => parts.reduce((total, part) => total + part[count], 0);
const failures = parts.flatMap((part) => part.failures);
const files = parts.flatMap((part) => part.files ?? []).toSorted((one, other) => other.seconds - one.seconds);
if (process.argv.length === 2)
  console.log(`\n— slowest files\n${files.slice(0, shownFiles).map(describeFile).join('\n')}`);
// Repeated at the end, for readers who see only the last lines.
if (failures.length > 0) console.log(`\n— what failed\n${failures.slice(0, shownFailures).join('\n')}`);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

function describeFile({ file, seconds }) {
  return `${seconds.toFixed(1).padStart(6)} s  ${file}`;
}

async function runTests(filters) {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-test-'));
  try {
    // Tests start hundreds of gateways, and starting one from its sources takes half a second of a core.
    const executable = join(directory, 'flowgate');
    const code = (await buildConsole(bun, ['--if-needed'])) || (await compileGateway(bun, executable));
    if (code !== 0) return [judge(undefined, code)];
    const run = (name, selection) => runPart(name, selection, { directory, executable });
    if (filters.length > 0) return [await run('tests', [sideBySide, ...filters])];
    const without = (...patterns) => patterns.map((pattern) => `--path-ignore-patterns=${pattern}`);
    return [
      await run('tests', [
        sideBySide,
        ...without(...browsers.map((each) => `${each}**`), `${clusters}**`, `**/*${alone}`),
      ]),
      await run('tests in a browser', [browsersSideBySide, ...without(`**/*${alone}`), ...browsers]),
      await run('tests of clusters', [clustersSideBySide, ...without(`**/*${alone}`), clusters]),
      await run('tests that run alone', [oneByOne, alone]),
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
    const attempts = createAttemptReader();
    const code = await runChild(bun, args, { cwd: repositoryRoot, env, limitMs, onErrorText: attempts.read });
    return judge(readTestReport(report), code, attempts.found);
  } finally {
    rmSync(report, { force: true });
  }
}

/** The report contains only tests that ran. A crash, a file that could not be loaded or an empty run shows in the exit code or in a total of zero. */
function judge(report, code, repeated = []) {
  const problems = [...repeated];
  if (report === undefined) problems.push(`the test runner left no report (exit ${code})`);
  else if (report.tests === 0) problems.push('no test ran');
  else if (code !== 0 && report.failed === 0)
    problems.push(`the test runner ended with ${code} although no test failed`);
  const { tests, failed, skipped, failures, files } = report ?? {
    tests: 0,
    failed: 0,
    skipped: 0,
    failures: [],
    files: [],
  };
  const forbidden = process.env.CI === 'true' ? skipped : 0;
  if (forbidden > 0) problems.push(`${forbidden} skipped, which CI=true forbids`);
  return {
    passed: tests - failed - skipped,
    failed: failed + problems.length + Math.max(0, forbidden - 1),
    skipped: skipped - forbidden,
    failures: [...failures, ...problems],
    files,
  };
}
