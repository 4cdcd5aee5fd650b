/**
 * Starts the results of `npm run build`, far from the sources: the packages of the gateway and the command line in an
 * empty project, and the executable.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Glob } from 'bun';
import { usage } from '../../apps/cli/src/command-usage.ts';
import { version } from '../../apps/gateway/package.json';
import { publishFlowApp, reachesLoopback, startFlowApp } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { repository } from './deploy-files.ts';

const filesOf = (pattern: string, places = ['apps/gateway', 'apps/cli', 'packages/*']) =>
  places.flatMap((place) => [...new Glob(`${place}/src/**/${pattern}`).scanSync(repository)]);
const directory = mkdtempSync(join(tmpdir(), 'flowgate-builds-'));
const project = join(directory, 'project');
/** The build of the test run, which `npm test` makes with the same command, or an own one. */
const givenExecutable = process.env['FLOWGATE_TEST_EXECUTABLE'];
const executable = givenExecutable ?? join(directory, 'flowgate');
const packedCommand = join(directory, `flowgate-${version}.tgz`);
const packedGateway = join(directory, `flowgate-gateway-${version}.tgz`);
const packedClient = join(directory, `flowgate-client-${version}.tgz`);

async function run(command: readonly string[], cwd = directory) {
  // With the machine's own npm settings: registry, proxy, cache.
  const env = { ...process.env, npm_config_prefer_offline: 'true' };
  const child = Bun.spawn([...command], { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, stdout, stderr };
}

/** Installs the packages into the project. */
async function install(...packages: readonly string[]) {
  const installed = await run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], project);
  if (installed.code !== 0) throw new Error(installed.stderr);
}

beforeAll(async () => {
  const build = join(repository, 'scripts/build.mjs');
  const own = givenExecutable === undefined ? ['executable'] : [];
  const built = await run(['node', build, '--out', directory, 'client', 'cli', 'gateway', ...own]);
  if (built.code !== 0) throw new Error(built.stdout + built.stderr);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true }');
  await install(packedCommand, packedClient);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The packages of the repository that the command line needs, directly or through others. */
const packagesOfCommand = [
  'async',
  'base',
  'body-schema',
  'bytes',
  'chain',
  'content-filter',
  'flow-format',
  'http1',
  'json',
  'telemetry',
];

test.each([
  ['apps/gateway', packedGateway, '!(testing)', ['console/console.pack']],
  ['apps/cli', packedCommand, `{${packagesOfCommand}}`, ['bin/flowgate']],
])('the package of %s contains what it runs, and no tests or benchmarks', async (place, packed, names, others) => {
  const listed = (await run(['tar', 'tzf', packed])).stdout.trim().split('\n');
  const inPackages = ['package.json', 'README.md', 'src/**/*.ts'].flatMap((name) => [
    ...new Glob(`packages/${names}/${name}`).scanSync(repository),
  ]);
  const code = [...filesOf('*.ts', [place]), ...inPackages].filter((path) => !/\.(test|contract)\.ts$/.test(path));
  const expected = [
    ...['LICENSE', 'README.md', 'package.json', ...others],
    ...code.map((path) => path.replace(`${place}/`, '').replace(/^packages\//, 'node_modules/@flowgate/')),
  ];
  expect(listed.map((path) => path.slice('package/'.length)).toSorted()).toEqual(expected.toSorted());
});

test('the command line alone has the user commands, and says how to install the gateway (decision 0151)', async () => {
  const names = await run(['ls', join(project, 'node_modules')]);
  expect(names.stdout.split('\n').filter((name) => ['@modelcontextprotocol', '@x402'].includes(name))).toEqual([]);
  const command = join(project, 'node_modules/.bin/flowgate');
  expect(await run([command, '--help'], project)).toMatchObject({ code: 0, stdout: usage });
  const asUser = await run([command, 'networks', '--url', 'http://127.0.0.1:1', '--json'], project);
  expect([asUser.code, asUser.stdout]).toEqual([2, '']);
  expect(await run([command, 'start', '--config', 'flowgate.yaml'], project)).toEqual({
    code: 2,
    stdout: '',
    stderr: `flowgate: start needs the gateway, which is not installed. Install it next to this CLI: npm install @flowgate/gateway@${version}\n`,
  });
});

test('each thread’s module is an entry point of the executable: its name ends with -worker.ts and is unique', async () => {
  const named = filesOf('*-worker.ts').map((path) => basename(path));
  const begun: string[] = [];
  for (const path of filesOf('*.ts')) {
    if (/\.(test|contract)\.ts$/.test(path)) continue;
    const text = await Bun.file(join(repository, path)).text();
    begun.push(...[...text.matchAll(/new Worker\(([^;]*)\)/g)].map(([, from = '']) => from));
  }
  const asked = begun.map((from) => /^new URL\('\.\/([^'/]+)', import\.meta\.url\)\.href/.exec(from)?.[1]);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.toSorted()).toEqual(named.toSorted());
});

describe('with the gateway installed as well', () => {
  beforeAll(() => install(packedGateway));

  describe.each([
    ['package', ['npx', '--no-install', 'flowgate'], [join(project, 'node_modules/.bin/flowgate')], project],
    ['executable', [executable], [executable], directory],
  ] as const)('the %s', (_name, typed, command, cwd) => {
    test('prints its help and version, and reports wrong usage', async () => {
      // npx may print messages of its own on standard error.
      expect(await run([...typed, '--help'], cwd)).toMatchObject({ code: 0, stdout: usage });
      expect(await run([...typed, '--version'], cwd)).toMatchObject({ code: 0, stdout: `${version}\n` });
      expect(await run([...typed, 'fly'], cwd)).toMatchObject({ code: 2, stdout: '' });
      const asUser = await run([...typed, 'networks', '--url', 'http://127.0.0.1:1', '--json'], cwd);
      expect([asUser.code, asUser.stdout]).toEqual([2, '']);
      expect(asUser.stderr).toContain('"kind":"usage"');
    });

    test('serves calls, keys through the SQLite thread, large app responses through the validation worker, embedded apps', async () => {
      const embedded = join(directory, 'hello.ts');
      const hello = "{ stepId: 'hello', title: 'Hello' as string, fields: [], actions: [], terminal: true }";
      writeFileSync(
        embedded,
        `export default { appId: 'built-in/hello', name: 'Hello', version: '1.0.0', steps: [{ stepId: 'hello' }], renderStep: () => ({ step: ${hello} }) };`,
      );
      const app = startFlowApp(() => ({
        step: {
          stepId: 'count',
          title: 'Count',
          description: 'So far. '.repeat(200),
          fields: [],
          actions: [{ actionId: 'finish', label: 'Finish' }],
          options: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`member${at}`, 'So far. '.repeat(20)])),
        },
      }));
      const gateway = await startGateway({
        command,
        config: { ...reachesLoopback, flow: { embeddedApps: [embedded] } },
        // Needs nothing from the working directory or a home directory.
        environment: { HOME: '/nonexistent' },
      });
      try {
        expect((await gateway.fetch('/readyz')).status).toBe(200);
        const page = await (await gateway.fetch('/console')).text();
        const [asset] = /assets\/[\w.-]+\.js/.exec(page) ?? [];
        expect((await gateway.fetch(`/console/${asset}`)).status).toBe(200);
        const { apiKey, keyId } = await gateway.mint('alice');
        const call = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' };
        expect(await (await gateway.rpc(apiKey, call)).json()).toMatchObject({ id: 1, result: '0x10' });
        const alice = flowClient(gateway, 'alice');
        expect(await (await alice.get('/users/me/api-keys')).json()).toMatchObject({ data: [{ keyId }] });

        await publishFlowApp(gateway, app);
        const { currentStep } = await alice.start();
        expect(Object.keys(currentStep.options ?? {})).toHaveLength(100);
        expect((await alice.start('built-in/hello')).currentStep.title).toBe('Hello');
        expect(await (await gateway.fetch('/reference')).text()).toContain('<!doctype html>');

        gateway.process.kill('SIGTERM');
        expect(await gateway.process.exited).toBe(0);
        expect(gateway.output()).not.toContain('"level":"error"');
      } finally {
        await Promise.all([gateway.stop(), app.stop()]);
      }
    });

    test('takes nothing from the working directory without an option: no variables, and no code that runs before its own', async () => {
      const elsewhere = mkdtempSync(join(directory, 'elsewhere-'));
      const pepper = 'FLOWGATE_PEPPER=an-unwanted-pepper-value-0123456789abcdef\n';
      const files = {
        '.env': pepper,
        '.env.local': pepper,
        '.env.production': pepper,
        'bunfig.toml':
          'preload = ["./foreign.ts"]\n[define]\n"process.env.FLOWGATE_PEPPER" = "\'another-unwanted-0123456789\'"\n',
        'tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "*": ["./foreign.ts"] } } }',
        'package.json': '{ "type": "commonjs", "browser": { "zod": "./foreign.ts" } }',
        'foreign.ts': "console.log('foreign code'); process.exit(99);",
        'flowgate.yaml':
          'identity: { issuer: "https://login.example.com", audience: a }\nkeys: { peppers: ["${FLOWGATE_PEPPER}"] }\n',
      };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(elsewhere, name), text);
      const { FLOWGATE_PEPPER: _, ...env } = process.env;
      const child = Bun.spawn([...command, 'check-config', '--json', 'flowgate.yaml'], {
        cwd: elsewhere,
        env,
        stdout: 'pipe',
      });
      const [code, text] = await Promise.all([child.exited, child.stdout.text()]);
      expect([code, JSON.parse(text)]).toMatchObject([2, { valid: false }]);
      expect(text).toContain('environment variable FLOWGATE_PEPPER is not set');
    });
  });
});
