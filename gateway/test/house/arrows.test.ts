/** Keeps the house as docs/architecture.md draws it: who may import whom, how files are named and how long they get. */

import { expect, test } from 'bun:test';
import { type Import, type SourceFile, sourceFile, sourceFiles } from './source-files.ts';

const files = await sourceFiles();

/** Undefined when `file` may import it, otherwise what it should have done. */
function forbidden(file: SourceFile, { to, typesOnly }: Import): string | undefined {
  const room = to.includes('/') ? (to.split('/')[0] ?? '') : '';
  const allowed = (yes: boolean, instead: string) => (yes ? undefined : `${file.path} → ${to}: ${instead}`);
  if (/^compose(-bodies|-storage|-move|-flow|-flow-jobs)?\.ts$/.test(file.path))
    return allowed(to !== 'main.ts', 'nothing imports main');
  if (file.path === 'main.ts')
    return allowed(
      /^(command-(line|usage)|check-config|compose(-move)?|config(-file)?)\.ts$/.test(to) ||
        to === '../package.json' ||
        room === 'platform',
      'main imports command-line, command-usage, check-config, config, config-file, compose and platform',
    );
  if (file.path === 'check-config.ts')
    return allowed(
      ['config.ts', 'config-file.ts', 'config-warnings.ts', 'flow/apps/load-embedded-apps.ts'].includes(to),
      'check-config imports config, config-file, config-warnings and what loads embedded apps',
    );
  if (file.path === 'config-warnings.ts')
    return allowed(to === 'config.ts' || room === 'platform', 'config-warnings imports config and platform');
  if (file.path === 'config-file.ts')
    return allowed(
      to === 'config.ts' || to === 'config-checks.ts' || room === 'platform',
      'config-file imports config and config-checks',
    );
  if (file.path === 'config-checks.ts')
    return allowed(
      to === 'config.ts' ||
        room === 'platform' ||
        [
          ...['rpc/evm-methods.ts', 'rpc/method-policy.ts', 'flow/content-filter/content-filter-rules.ts'],
          'stores/sql/postgres-address.ts',
        ].includes(to),
      'config-checks imports config, platform, and what reads methods.enable, rules of the content filter and addresses of databases',
    );
  if (file.path === 'config-secrets.ts')
    return allowed(
      ['config.ts', 'ledgers/node-secrets.ts'].includes(to),
      'config-secrets imports config and node-secrets',
    );
  if (file.path === 'command-line.ts') return allowed(to === 'command-usage.ts', 'command-line imports command-usage');
  if (file.path === 'config.ts') return allowed(room === 'platform', 'config imports platform');
  if (room === file.room) return undefined;
  if (['', 'http', 'stores'].includes(room)) return allowed(false, `only compose imports ${room === '' ? to : room}`);
  if (file.room === 'platform') return allowed(false, 'platform knows nothing of gateways');
  if (room === 'platform') return undefined;
  if (file.room === 'http') {
    const behindServeRpc =
      ['rpc/message.ts', 'rpc/reply.ts', 'rpc/serve-body.ts', 'rpc/target.ts'].includes(to) &&
      file.path === 'http/serve-rpc.ts';
    return allowed(
      room === 'access' || to === `${room}/routes.ts` || behindServeRpc,
      "http imports access, and rooms' routes",
    );
  }
  if (file.room === 'stores')
    return allowed(typesOnly && to.endsWith('-store.ts'), "stores import types from rooms' store interfaces");
  if (room === 'access') return undefined;
  const toLedgers =
    (file.room === 'rpc' && (file.path === 'rpc/target.ts' || (typesOnly && to === 'ledgers/node-pool.ts'))) ||
    file.path === 'flow/payments/ledger-access.ts';
  return allowed(
    room === 'ledgers' && toLedgers,
    `a room imports platform and access; rpc reaches ledgers through rpc/target.ts, flow through flow/payments/ledger-access.ts`,
  );
}

const arrowsOf = (file: SourceFile) => file.imports.flatMap((each) => forbidden(file, each) ?? []);

test('every arrow between files is one that the house allows', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(files.flatMap(arrowsOf)).toEqual([]);
});

test('the rule itself refuses what the design forbids', () => {
  const refuses = (path: string, text: string) => arrowsOf(sourceFile(path, text)).length;
  expect(refuses('access/a.ts', "import { x } from '../http/edge.ts';")).toBe(1);
  expect(refuses('access/a.ts', "import type { X } from '../stores/sql/row.ts';")).toBe(1);
  expect(refuses('access/a.ts', "const x = await import('../rpc/message.ts');")).toBe(1);
  expect(refuses('platform/a.ts', "import type { X } from '../access/caller.ts';")).toBe(1);
  expect(refuses('stores/sql/a.ts', "import { x } from '../../access/api-key-store.ts';")).toBe(1);
  expect(refuses('stores/sql/a.ts', "import type { X } from '../../access/api-key-store.ts';")).toBe(0);
  expect(refuses('http/a.ts', "import { x } from '../rpc/message.ts';")).toBe(1);
  expect(refuses('http/a.ts', "export { x } from '../compose.ts';")).toBe(1);
  expect(refuses('rpc/a.ts', "import {\n  x,\n} from '../ledgers/node-pool.ts';")).toBe(1);
});

/** Each file of a circle of imports that are there at run time. */
function circle(from: SourceFile, trail: readonly string[], done: Set<string>): readonly string[] {
  if (trail.includes(from.path)) return [...trail.slice(trail.indexOf(from.path)), from.path];
  if (done.has(from.path)) return [];
  for (const { to, typesOnly } of from.imports) {
    const next = files.find(({ path }) => path === to);
    const found = next === undefined || typesOnly ? [] : circle(next, [...trail, from.path], done);
    if (found.length > 0) return found;
  }
  done.add(from.path);
  return [];
}

test('no file reaches itself through its imports', () => {
  const done = new Set<string>();
  expect(files.map((file) => circle(file, [], done)).filter((found) => found.length > 0)).toEqual([]);
});

test('a package is used where its decision says, and nowhere else (docs/decisions/0001)', () => {
  const homes: Readonly<Record<string, RegExp>> = {
    bun: /^(platform\/http1-|stores\/(sql|redis)\/)/,
    'bun:sqlite': /^stores\/sql\//,
    jose: /^access\//,
    yaml: /^config-file\.ts$/,
    zod: /^(config(-checks)?\.ts$|flow\/|agents\/)/,
    ulid: /^platform\/type-id\.ts$/,
    semver: /^flow\//,
    re2js: /^flow\//,
    standardwebhooks: /^platform\/webhook-signature\.ts$/,
    '@x402/core': /^flow\/payment/,
    '@modelcontextprotocol/server': /^agents\//,
    '@flowgate/client': /^(http|access|ledgers|flow)\//,
  };
  const strangers = files.flatMap(({ path, packages }) =>
    packages
      .filter((name) => !name.startsWith('node:') && homes[name]?.test(path) !== true)
      .map((name) => `${path}: ${name}`),
  );
  expect(strangers).toEqual([]);
});

test('files are named after what they hold, have a head comment, and no file is longer than 400 lines', () => {
  const named = (path: string) => path.split('/').at(-1) ?? '';
  expect(
    files.filter(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.ts$/.test(named(path))).map(({ path }) => path),
  ).toEqual([]);
  expect(
    files
      .filter(({ path }) => /^(types|common|utils|helpers|shared|index)\b/.test(named(path)))
      .map(({ path }) => path),
  ).toEqual([]);
  expect(files.filter(({ head }) => head === undefined || head.length < 20).map(({ path }) => path)).toEqual([]);
  expect(files.filter(({ lines }) => lines > 400).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
});

test('no file only passes on what others export', () => {
  const statements = (text: string) =>
    text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|export [^;]*? from '[^']+';/g, '').trim();
  const barrels = files.filter(({ text }) => /^export \* /m.test(text) || statements(text) === '');
  expect(barrels.map(({ path }) => path)).toEqual([]);
});

test('time, environment and chance each come in at one place', () => {
  const homes = [
    { pattern: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/, home: 'platform/clock.ts' },
    { pattern: /\bprocess\.env\b|\bBun\.env\b/, home: 'main.ts' },
    { pattern: /\bMath\.random\b/, home: 'nowhere' },
  ];
  const code = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const strays = homes.flatMap(({ pattern, home }) =>
    files
      .filter(({ path, text }) => path !== home && pattern.test(code(text)))
      .map(({ path }) => `${path}: ${pattern.source}`),
  );
  expect(strays).toEqual([]);
});
