/**
 * `npm test [-- FILTER…]`: type check, lint and all tests in parallel; the last line is `N passed, N failed`. `--long` runs only the tests with many rounds,
 * with all their rounds; `--with-long` runs both.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensureInstalled, repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';
import { startServedConsole } from './served-console.mjs';
import { runStaticChecks } from './static-checks.mjs';
import { createAttemptReader, readTestReport } from './test-report.mjs';

/** Test files wait for processes, disks and leases as much as they compute, so two workers more than cores use all cores. */
const sideBySide = `--parallel=${availableParallelism() + 2}`;

/** Each page runs in its own process: with many more pages than cores, a page takes longer than its test waits. */
const browsers = ['test/console/', 'test/contract/reference-page.test.ts'];
const browsersSideBySide = `--parallel=${availableParallelism() + 1}`;

/** Tests of whole clusters, which compare each answer with the history. They mostly wait for leases and time-outs: two of them leave a core mostly idle. */
const clusters = 'test/cluster/';
const clustersSideBySide = '--parallel=2';

/**
 * Tests that measure time or growth, and a cluster under full load: other tests in parallel would falsify them. One worker, because only workers apply the
 * preloads to each file.
 */
const alone = '.alone.test.ts';
const oneByOne = '--parallel=1';

/** The function that test files call when their number of rounds depends on the command (packages/testing/src/test-rounds.ts). */
const callsRounds = /\b(?:testRounds|isLongRun)\(/;

/** Milliseconds after which a group of tests counts as hung: far longer than any machine needs. */
const limitMs = 20 * 60_000;

/** Approximate seconds of the slowest files, so that they start first. Other files start after them. */
const timings = join(repositoryRoot, 'scripts', 'test-timings.json');

/** Maximum number of listed failures, so that many failures with one cause leave the totals visible. */
const shownFailures = 20;

/** The slowest test files, which are listed when every test ran. */
const shownFiles = 10;

const given = process.argv.slice(2);
const modes = ['--long', '--with-long'];
const filters = given.filter((each) => !modes.includes(each));
const bun = await ensureInstalled();
const parts = await runTests();
const sum = (count) => parts.reduce((total, part) => total + part[count], 0);
const failures = parts.flatMap((part) => part.failures);
const files = parts.flatMap((part) => part.files ?? []).toSorted((one, other) => other.seconds - one.seconds);
if (filters.length === 0) console.log(`\n— slowest files\n${files.slice(0, shownFiles).map(describeFile).join('\n')}`);
// Repeated at the end, for readers who see only the last lines.
if (failures.length > 0) console.log(`\n— what failed\n${failures.slice(0, shownFailures).join('\n')}`);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

function describeFile({ file, seconds }) {
  return `${seconds.toFixed(1).padStart(6)} s  ${file}`;
}

async function runTests() {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-test-'));
  try {
    // Tests start hundreds of gateways, and a start from the sources takes half a second of a core. builds.test.ts tests this build.
    const executable = join(directory, 'flowgate');
    const program = join(repositoryRoot, 'scripts', 'build.mjs');
    const build = () =>
      runChild(process.execPath, [program, '--out', directory, 'executable'], { cwd: repositoryRoot });
    // Packages are installed one after the other.
    const serve = async () => {
      await installHeadlessShell();
      return servePostgres(directory);
    };
    const [code, postgres] = await Promise.all([build(), serve()]);
    if (code !== 0) return [await runStaticChecks(), evaluate(undefined, code)];
    const run = (part) => runPart(part, { directory, executable, postgres });
    if (given.includes('--long')) return await runLong(run);
    if (filters.length > 0)
      return [await runStaticChecks(), await run({ name: 'tests', args: [sideBySide, ...filters] })];
    const short = await runShort(run);
    return given.includes('--with-long') ? [...short, ...(await runLong(run))] : short;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Browser tests need a third less processor time with the headless shell than with the full browser, which they use otherwise. Installed only as root, from the
 * system's packages, and never during tests, which install their own dependencies.
 */
async function installHeadlessShell() {
  const name = 'chromium-headless-shell';
  const isOnPath = (program) =>
    (process.env.PATH ?? '').split(delimiter).some((each) => existsSync(join(each, program)));
  const needsBrowser = filters.length === 0 && !given.includes('--long');
  if (!needsBrowser || process.getuid?.() !== 0 || isOnPath(name) || !isOnPath('apt-get')) return;
  const patience = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runChild('apt-get', ['install', '-y', '--no-install-recommends', ...patience, name], { env, stdio: 'ignore' });
}

/**
 * One server for all tests that do not stop it. It ends with this process, because its input closes; its own process group ensures that Ctrl-C does not end it
 * before the tests.
 * @returns {Promise<string>} its port, or nothing without PostgreSQL.
 */
async function servePostgres(directory) {
  const program = join(repositoryRoot, 'packages', 'testing', 'src', 'serve-postgres.ts');
  const env = { ...process.env, FLOWGATE_TEST_DIRECTORY: directory };
  const server = spawn(bun, [program], { env, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  server.unref();
  server.stdin.unref();
  server.stdout.unref();
  const ended = new Promise((resolve) => server.on('exit', () => resolve('')));
  return Promise.race([once(server.stdout, 'data').then(([line]) => String(line).trim()), ended]);
}

async function runShort(run) {
  const without = (...patterns) => patterns.map((pattern) => `--path-ignore-patterns=${pattern}`);
  const excluded = without(...browsers.map((each) => `${each}**`), `${clusters}**`, `**/*${alone}`);
  const notAlone = without(`**/*${alone}`);
  const first = `--timings=${timings}`;
  const [checks, tests] = await Promise.all([
    printedAtItsEnd((output) => runStaticChecks(output)),
    run({ name: 'tests', args: [sideBySide, first, ...excluded] }),
  ]);
  return [
    checks,
    tests,
    await runInBrowser(run, [browsersSideBySide, first, ...notAlone, ...browsers]),
    await run({ name: 'tests of clusters', args: [clustersSideBySide, ...notAlone, clusters] }),
    await run({ name: 'tests that run alone', args: [oneByOne, alone] }),
  ];
}

/** The files share a browser, and most of them share one installation of the console. */
async function runInBrowser(run, args) {
  let served;
  try {
    served = await startServedConsole(bun);
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, failures: [error.message] };
  }
  try {
    return await run({ name: 'tests in a browser', args, environment: served.environment });
  } finally {
    await served.stop();
  }
}

async function runLong(run) {
  const files = testFiles().filter((path) => callsRounds.test(readFileSync(join(repositoryRoot, path), 'utf8')));
  const chosen = files.filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)));
  const isAlone = (path) => path.endsWith(alone);
  const parts = [
    { name: 'tests with all rounds', mode: sideBySide, files: chosen.filter((path) => !isAlone(path)) },
    { name: 'tests with all rounds that run alone', mode: oneByOne, files: chosen.filter(isAlone) },
  ];
  const ran = [];
  // Without a file name, the runner would run every test.
  for (const { name, mode, files } of parts.filter((part) => part.files.length > 0))
    ran.push(await run({ name, args: [mode, ...files], environment: { FLOWGATE_TEST_LONG: '1' } }));
  return ran.length === 0 ? [evaluate(undefined, 1)] : ran;
}

function testFiles() {
  return readdirSync(repositoryRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(?:\.|node_modules$|dist$|data$)/.test(entry.name))
    .flatMap(({ name }) => readdirSync(join(repositoryRoot, name), { recursive: true }).map((path) => join(name, path)))
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .toSorted();
}

async function runPart({ name, args, environment = {} }, { directory, executable, postgres }) {
  console.log(`\n— ${name}`);
  const report = join(mkdtempSync(join(directory, 'part-')), 'junit.xml');
  const env = {
    ...process.env,
    FLOWGATE_TEST_EXECUTABLE: executable,
    FLOWGATE_TEST_DIRECTORY: directory,
    ...(postgres === '' ? {} : { FLOWGATE_TEST_POSTGRES: postgres }),
    ...environment,
  };
  const attempts = createAttemptReader();
  const command = ['test', '--reporter=junit', `--reporter-outfile=${report}`, ...args];
  const code = await runChild(bun, command, { cwd: repositoryRoot, env, limitMs, onErrorText: attempts.read });
  return evaluate(readTestReport(report), code, attempts.found);
}

/** `work` writes to a file, which is printed at its end, because other work runs at the same time. */
async function printedAtItsEnd(work) {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-output-'));
  const path = join(directory, 'output');
  const output = openSync(path, 'w');
  try {
    const result = await work(output);
    console.log(readFileSync(path, 'utf8'));
    return result;
  } finally {
    closeSync(output);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The report contains only tests that ran. A crash, a file that could not be loaded or an empty run shows in the exit code or in a total of zero. */
function evaluate(report, code, repeated = []) {
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
