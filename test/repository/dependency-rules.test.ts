/** The dependency rules of the gateway's modules refuse what they should: they are run on a small tree with forbidden and allowed imports. */

import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const repository = join(import.meta.dir, '../..');
const tree = mkdtempSync(join(tmpdir(), 'flowgate-rules-'));
afterAll(() => rmSync(tree, { recursive: true, force: true }));

const engine = '@flowgate/sql/engine/x';

/** Each file of `apps/gateway/src` with one import, and the beginning of the name of the rule that refuses it. */
const forbidden: readonly (readonly [file: string, imports: string, rule: string])[] = [
  ['api/a', "import type { X } from '../usage/x.ts'", 'api imports no other module'],
  ['audit/a', "import { X } from '../edge/x.ts'", 'audit imports api'],
  ['firewall/a', "const x = await import('../rpc/x.ts')", 'firewall imports api, audit'],
  ['flow/events/a', "import type { X } from '../sessions/x.ts'", 'flow/events imports'],
  ['upstream/port/a', "import { X } from '../routing/x.ts'", 'upstream/port imports'],
  ['bridge/facts/a', "export { X } from '../deposits/x.ts'", 'bridge/facts imports'],
  ['mcp/a', "import { X } from '../flow/sessions/session-store.ts'", 'mcp imports api and the files'],
  ['config/a', "import { X } from '../upstream/routing/x.ts'", 'config imports api and the files'],
  ['edge/a', "import { X } from '../bootstrap/x.ts'", 'edge imports api, rpc, mcp'],
  ['limits/a', "import { X } from './sql-x.ts'", 'SQL implementations'],
  ['resources/nodes/a', "import { X } from '../stakes/x.ts'", 'resources/nodes imports'],
  ['usage/a', `import { X } from '${engine}'`, 'statements are in files of SQL'],
  ['identity/keys/a', "import { X } from '../tokens/x.ts'", 'identity/keys imports'],
  ['wallets/a', "import { X } from 'jose'", 'jose is imported only'],
  ['wallets/b', "import { X } from 'left-pad'", 'a package from npm'],
  ['rpc/a', "import { X } from '../../../../client/src/x.ts'", 'the gateway imports packages'],
  ['unlisted/a', "import { X } from '../api/x.ts'", 'a new module'],
  ['rpc/unlisted/a', "import { X } from '../engine/x.ts'", 'a new folder of rpc'],
  ['bootstrap/a', "import { X } from '../main.ts'", 'nothing imports the process'],
  ['limits/unused', "import { X } from '../api/x.ts'", 'every source file is reached'],
];

const allowed: readonly (readonly [file: string, imports: string])[] = [
  ['bootstrap/b', "import { X } from '../limits/sql-x.ts'"],
  ['limits/sql-y', `import { X } from '${engine}'`],
  ['usage/x.test', "import { X } from '../edge/x.ts'"],
  ['usage/x.contract', "import { X } from '../edge/x.ts'"],
  ['mcp/b', "import { X } from '../rpc/message-wire.ts'"],
  ['storage/a', "import { X } from '../usage/usage-tables.ts'"],
  ['identity/tokens/b', "import { X } from 'jose'"],
  ['flow/sessions/b', "import type { X } from '../events/x.ts'"],
];

const targets = [
  ...['usage/x', 'edge/x', 'rpc/x', 'flow/sessions/x', 'flow/sessions/session-store', 'flow/events/x', 'main'],
  ...['upstream/routing/x', 'bridge/deposits/x', 'bootstrap/x', 'limits/sql-x', 'resources/stakes/x', 'api/x'],
  ...['identity/tokens/x', 'rpc/engine/x', 'rpc/message-wire', 'usage/usage-tables'],
].map((path) => `apps/gateway/src/${path}.ts`);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function writeTree(): void {
  for (const path of [...targets, 'client/src/x.ts']) write(path, 'export type X = 1;\nexport const x = 1;\n');
  for (const [file, imports] of [...forbidden, ...allowed]) write(`apps/gateway/src/${file}.ts`, `${imports};\n`);
  const used = allowed.map(([file]) => file).filter((file) => !/\.(test|contract)$/.test(file));
  write('apps/gateway/src/run-command.ts', used.map((file) => `import './${file}.ts';\n`).join(''));
  for (const name of ['jose', 'left-pad']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', exports: './x.js' }));
    write(`node_modules/${name}/x.js`, 'export const X = 1;\n');
  }
  const exports = { './engine/x': './src/engine/x.ts' };
  write('packages/sql/package.json', JSON.stringify({ name: '@flowgate/sql', version: '1.0.0', exports }));
  write('packages/sql/src/engine/x.ts', 'export const X = 1;\n');
  mkdirSync(join(tree, 'node_modules/@flowgate'));
  symlinkSync('../../packages/sql', join(tree, 'node_modules/@flowgate/sql'));
  const dependencies = { jose: '1.0.0', 'left-pad': '1.0.0', '@flowgate/sql': '1.0.0' };
  write('package.json', JSON.stringify({ name: 'tree', dependencies }));
}

type Report = {
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
};

test('each forbidden import is refused by its rule, and each allowed one passes', async () => {
  writeTree();
  const config = join(repository, '.dependency-cruiser.cjs');
  const program = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const child = Bun.spawn(
    ['node', program, '--config', config, '--output-type', 'json', 'apps/gateway/src', 'packages'],
    { cwd: tree, stdout: 'pipe', stderr: 'inherit' },
  );
  const report: Report = JSON.parse(await new Response(child.stdout).text());
  const refused = report.summary.violations.map(({ from, rule }) => ({ from, rule: rule.name }));
  const by = (file: string) =>
    refused.filter(({ from }) => from === `apps/gateway/src/${file}.ts`).map(({ rule }) => rule);
  for (const [file, , rule] of forbidden)
    expect([file, by(file)]).toEqual([file, expect.arrayContaining([expect.stringMatching(new RegExp(`^${rule}`))])]);
  for (const [file] of allowed) expect([file, by(file)]).toEqual([file, []]);
  expect(await child.exited).toBe(0);
});
