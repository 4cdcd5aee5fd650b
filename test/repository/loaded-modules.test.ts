/**
 * Commands that only print or check something load only the modules that they need, because loading delays the user.
 */

import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dir, '../..');
const sources = join(repository, 'apps/gateway/src');
const directory = mkdtempSync(join(tmpdir(), 'flowgate-modules-'));
const configFile = join(directory, 'flowgate.yaml');
const spy = join(directory, 'spy.ts');
const list = join(directory, 'loaded.json');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

writeFileSync(
  configFile,
  'identity: { issuer: "https://login.example.com", audience: x }\nkeys: { peppers: ["0123456789012345678901234567890123456789"] }\n',
);
// A plugin that records each Flowgate module when it is loaded, and prints them at the end.
writeFileSync(
  spy,
  `import { readFileSync, writeFileSync } from 'node:fs';
  const loaded = [];
  Bun.plugin({ name: 'spy', setup: (build) => build.onLoad({ filter: /(gateway|apps\\/cli|packages\\/[a-z0-9-]+)\\/src\\/.*\\.ts$/ }, ({ path }) => {
    loaded.push(path);
    return { contents: readFileSync(path, 'utf8'), loader: 'ts' };
  }) });
  process.on('exit', () => writeFileSync(${JSON.stringify(list)}, JSON.stringify(loaded)));`,
);

/** The loaded modules as paths below the source folder, and the packages that they import. */
function loadedBy(...program: readonly string[]) {
  const command = [process.execPath, '--preload', spy, ...program];
  const { exitCode } = Bun.spawnSync(command, { cwd: directory, stdout: 'ignore', stderr: 'ignore' });
  expect(exitCode).toBe(0);
  const paths: readonly string[] = JSON.parse(readFileSync(list, 'utf8'));
  const transpiler = new Bun.Transpiler({ loader: 'ts' });
  const named = paths.flatMap((path) =>
    transpiler
      .scanImports(readFileSync(path, 'utf8'))
      .filter((each) => each.kind === 'import-statement' && !/^(\.|node:|bun$|@flowgate\/(?!client))/.test(each.path))
      .map((each) => each.path),
  );
  const own = paths.map((path) => path.slice((path.startsWith(sources) ? sources : repository).length + 1));
  return { own, packages: [...new Set(named)].toSorted() };
}

const main = join(repository, 'apps/cli/src/main.ts');
/** The files that the command line loads before it knows the command. */
const entry = ['main', 'command-line', 'command-usage', 'user-commands'].map((name) => `apps/cli/src/${name}.ts`);

test.each(['--help', '--version', 'start --help'])('%s loads only the entry files', (typed) => {
  const { own, packages } = loadedBy(main, ...typed.split(' '));
  expect(own.toSorted()).toEqual(entry.toSorted());
  expect(packages).toEqual([]);
});

test('a command for users loads neither the gateway nor other commands', () => {
  const { own } = loadedBy(main, 'whoami', '--help');
  expect(own.filter((path) => !/^(apps\/cli|packages)\//.test(path))).toEqual([]);
  expect(own.filter((path) => path.startsWith('apps/cli/src/commands/'))).toEqual(['apps/cli/src/commands/whoami.ts']);
});

test('check-config loads the configuration’s schema and the readers of single keys: no other module, no engine, no server', () => {
  const { own, packages } = loadedBy(main, 'check-config', configFile);
  expect(own).toContain('config/check-config.ts');
  expect(packages).toEqual(['@noble/hashes/sha3', 'leven', 're2js', 'yaml', 'zod']);
  const forOneKey = [
    ...entry,
    'run-command.ts',
    'flow/content-filter/content-filter-settings.ts',
    'flow/secrets/secret-echo-rule.ts',
    'flow/signing/webhook-signature.ts',
    'upstream/port/node-schemes.ts',
    'upstream/routing/routing-settings.ts',
    'rpc/method-policy.ts',
    'packages/sql/src/engine/postgres/postgres-address.ts',
    'packages/sql/src/engine/unusable-database.ts',
  ];
  const others = own.filter((path) => path.includes('/') && !/^(config|packages)\//.test(path));
  expect(others.filter((path) => !forOneKey.includes(path))).toEqual([]);
  expect(own.length).toBeLessThanOrEqual(53);
});

test('the rule detects what is loaded: composing a gateway loads all of it', () => {
  const all = join(directory, 'all.ts');
  writeFileSync(all, `await import(${JSON.stringify(join(sources, 'bootstrap/gateway.ts'))});`);
  const { own, packages } = loadedBy(all);
  expect(own.length).toBeGreaterThan(300);
  expect(packages).toContain('jose');
  // Too large for startup: loaded for the first request that needs a wallet or position (docs/decisions/0081).
  expect(packages.filter((name) => name.startsWith('viem'))).toEqual([]);
});
