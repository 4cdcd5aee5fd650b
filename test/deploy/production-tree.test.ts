/**
 * The result of the container file: npm packages of the gateway, no other source, and the entry point that starts it.
 */

import { afterAll, expect, test } from 'bun:test';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Glob } from 'bun';
import { version } from '../../apps/gateway/package.json';
import { repository } from './deploy-files.ts';

const directory = mkdtempSync(join(tmpdir(), 'flowgate-production-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const container = await Bun.file(join(repository, 'Dockerfile')).text();
const withSecrets = join(repository, 'deploy/container/with-secrets');

/**
 * What the .dockerignore admits: `*` excludes everything, each `!` includes one path again, and the last lines exclude
 * parts of those.
 */
async function buildContext(): Promise<readonly string[]> {
  const lines = (await Bun.file(join(repository, '.dockerignore')).text()).trim().split('\n');
  expect(lines.find((line) => !line.startsWith('#'))).toBe('*');
  expect(lines.slice(lines.findLastIndex((line) => line.startsWith('!')) + 1)).toEqual([
    ...[
      'packages/testing',
      'packages/*/test',
      'packages/*/corpora',
      '**/node_modules',
      '**/*.test.ts',
      '**/*.contract.ts',
    ],
  ]);
  return lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
}

const isExcluded = (path: string) =>
  /\/packages\/(testing|[a-z0-9-]+\/(test|corpora))$|\/node_modules$|\.(test|contract)\.ts$/.test(path);

async function run(command: readonly string[], environment: Readonly<Record<string, string | undefined>> = {}) {
  const path = `${directory}/app/bin:${directory}/app/node_modules/.bin:${process.env['PATH'] ?? ''}`;
  const child = Bun.spawn([...command], {
    cwd: directory,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: path, ...environment },
  });
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, stdout, stderr };
}

/** The instruction's JSON array, in exec form. */
function execForm(instruction: string): readonly string[] {
  const found = new RegExp(`^\\s*${instruction} (\\[.*\\])$`, 'm').exec(container)?.[1];
  const parsed: unknown = JSON.parse(found ?? 'null');
  if (!Array.isArray(parsed)) throw new Error(`${instruction} is not in exec form`);
  return parsed.map(String);
}

test('the container file copies only files of its context, and its version is the package’s', async () => {
  const context = await buildContext();
  const copied = [...container.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
  const inContext = (path: string) =>
    context.some((open) => open === path || open.startsWith(`${path}/`) || path.startsWith(`${open}/`));
  expect(copied.length).toBeGreaterThan(4);
  expect(copied.filter((path) => !inContext(path))).toEqual([]);
  expect(container).toContain(`image.version="${version}"`);
});

test('it runs without privileges, ends on SIGTERM, and has a health check', () => {
  expect(container).toMatch(/^USER 10001:10001$/m);
  expect(container).toMatch(/^STOPSIGNAL SIGTERM$/m);
  expect(execForm('CMD').join(' ')).toContain('flowgate healthcheck');
  expect(execForm('ENTRYPOINT')).toEqual(['with-secrets', 'flowgate']);
});

test('the tree of the container file contains only the gateway’s packages, and starts with its entry point', async () => {
  const app = join(directory, 'app');
  mkdirSync(join(app, 'bin'), { recursive: true });
  for (const path of await buildContext()) {
    const to = path === 'deploy/container' ? join(app, 'bin') : join(app, path);
    cpSync(join(repository, path), to, { recursive: true, filter: (source) => !isExcluded(source) });
  }
  const script = /^RUN (npm ci[\s\S]*?[^\\])\n/m.exec(container)?.[1]?.replaceAll('\\\n', '\n');
  if (script === undefined) throw new Error('the container file does not run npm ci');
  // With the machine's own npm settings: registry, proxy, cache.
  const settings = { ...process.env, PATH: process.env['PATH'] ?? '', npm_config_prefer_offline: 'true' };
  const install = await run(['sh', '-euc', `cd app\n${script.replaceAll('\n &&', ' &&')}`], settings);
  expect(install.code === 0 ? '' : install.stderr).toBe('');

  const packages = readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(packages.sort()).toEqual([
    ...['@adraffy', '@clack', '@flowgate', '@modelcontextprotocol', '@noble', '@oven', '@scure', '@x402'],
    ...['abitype', 'bun', 'commander', 'eventemitter3', 'fast-string-truncated-width', 'fast-string-width'],
    ...['fast-wrap-ansi', 'flowgate', 'isows', 'jose', 'oauth4webapi', 'openid-client', 'ox', 're2js', 'semver'],
    ...['sisteransi', 'ulid', 'viem', 'ws', 'yaml', 'zod'],
  ]);
  // Each package folder is copied into the image, not only the one at the root.
  for (const place of ['.', 'apps/gateway', 'client', 'apps/cli'].filter((each) =>
    existsSync(join(app, each, 'node_modules')),
  ))
    expect(container).toContain(`COPY --from=packages ${join('/app', place, 'node_modules')} `);
  expect(container).toContain('COPY --from=packages /app/packages ');
  expect([...new Glob('{apps,packages}/**/*.{test,contract}.ts').scanSync(app)]).toEqual([]);

  const entry = execForm('ENTRYPOINT');
  expect(await run([...entry, '--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  const asUser = await run([...entry, 'whoami'], { XDG_CONFIG_HOME: directory });
  expect([asUser.code, asUser.stderr]).toEqual([2, expect.stringContaining('which gateway?')]);
  const file = join(directory, 'flowgate.yaml');
  writeFileSync(
    file,
    'identity: { issuer: "https://login.example.com", audience: a }\nkeys: { peppers: ["${FLOWGATE_PEPPER}"] }\n' +
      'networks: [{ dlt: ethereum, networkId: a, chainId: 1, nodes: [{ nodeId: a, url: "https://node.example.com" }] }]\n',
  );
  const secrets = join(directory, 'secrets');
  mkdirSync(secrets);
  writeFileSync(join(secrets, 'FLOWGATE_PEPPER'), '0123456789abcdef0123456789abcdef\n');
  const checked = await run([...entry, 'check-config', file], { SECRETS_DIRECTORY: secrets });
  expect(checked).toEqual({ code: 0, stdout: `${file}: valid\n`, stderr: '' });
});

test('secrets mounted as files become variables; the environment takes precedence, and other files are ignored', async () => {
  const secrets = mkdtempSync(join(directory, 'mounted-'));
  writeFileSync(join(secrets, 'FIRST'), 'one $(echo two) "three"\n');
  writeFileSync(join(secrets, 'SECOND'), 'from the file');
  writeFileSync(join(secrets, 'EMPTY'), 'filled');
  writeFileSync(join(secrets, 'BAD-NAME$(touch x)'), 'never');
  writeFileSync(join(secrets, 'lower'), 'never');
  const { stdout, stderr } = await run([withSecrets, 'env'], {
    SECRETS_DIRECTORY: secrets,
    SECOND: 'from outside',
    EMPTY: '',
  });
  expect(stderr).toBe('');
  const lines = stdout.split('\n');
  expect(lines).toContain('FIRST=one $(echo two) "three"');
  expect(lines).toContain('SECOND=from outside');
  expect(lines).toContain('EMPTY=filled');
  expect(stdout).not.toContain('never');
  const absent = await run([withSecrets, 'echo', 'started'], { SECRETS_DIRECTORY: join(directory, 'nowhere') });
  expect(absent.stdout).toBe('started\n');
});

test('create-secrets makes what is missing and never changes existing files', async () => {
  const copy = join(directory, 'create-secrets');
  cpSync(join(repository, 'deploy/compose/create-secrets'), copy);
  chmodSync(copy, 0o755);
  rmSync(join(directory, 'secrets'), { recursive: true, force: true });
  expect((await run([copy])).code).toBe(0);
  const made = await contents(join(directory, 'secrets'));
  expect([...made.keys()].sort()).toEqual(['FLOWGATE_PEPPER', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'TLS_PEM']);
  expect(made.get('FLOWGATE_PEPPER')).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(made.values()).size).toBe(4);
  rmSync(join(directory, 'secrets/REDIS_PASSWORD'));
  expect((await run([copy])).code).toBe(0);
  const again = await contents(join(directory, 'secrets'));
  expect(again.get('REDIS_PASSWORD')).not.toBe(made.get('REDIS_PASSWORD'));
  made.delete('REDIS_PASSWORD');
  again.delete('REDIS_PASSWORD');
  expect(again).toEqual(made);
});

async function contents(folder: string): Promise<Map<string, string>> {
  const names = readdirSync(folder);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await Bun.file(join(folder, name)).text()] as const)),
  );
}
