/** Checks the architecture that docs/concepts/architecture.md describes: which folder may import which, how files are named, and how long they may be. */

import { expect, test } from 'bun:test';
import { type Import, packageFiles, type SourceFile, sourceFile, sourceFiles } from './source-files.ts';

const files = await sourceFiles();
const all = [...files, ...(await packageFiles())];

type Arrow = { readonly from: RegExp; readonly to: RegExp; readonly typesOnly?: RegExp; readonly instead: string };

const routes = /^(access|agents|bridge\/[a-z-]+|flow\/[a-z-]+|ledgers|rpc|usage)\/([a-z]+-)?routes\.ts$/;

/** What each folder may import besides itself: the first row whose `from` matches a file applies to it. `typesOnly`: folders of which it may import only types. */
const arrows: readonly Arrow[] = [
  {
    from: /^run-command\.ts$/,
    to: /^(operator-command\.ts$|\.\.\/package\.json$|(config|compose)\/)/,
    instead: 'an operator’s command imports config and compose',
  },
  { from: /^compose\//, to: /^(?!run-command\.ts)/, instead: 'only the command line imports run-command' },
  {
    from: /^config\/(config|[a-z]+-keys|value-forms)\.ts$/,
    to: /^(config\/([a-z]+-keys|value-forms)\.ts$|flow\/signing\/|ledgers\/(node-schemes|routing\/routing-settings)\.ts$)/,
    instead:
      'the schema of the configuration imports the form of secrets, the schemes of nodes and the settings of routing',
  },
  {
    from: /^config\//,
    to: /^(config\/|rpc\/method-policy\.ts$|flow\/apps\/load-embedded-apps\.ts$|ledgers\/node-secrets\.ts$)/,
    instead: 'config imports what reads the values of single keys',
  },
  { from: /^api\//, to: /^api\//, instead: 'api imports packages' },
  {
    from: /^http\/(pipelines|rpc-context|steps\/(call-nodes|decode-messages|find-target))\.ts$/,
    to: new RegExp(
      `^(http|api)/|^rpc/(call-guard|decode-large-body|message|reply|serve-body|target)\\.ts$|${routes.source}`,
    ),
    instead: 'the steps of JSON-RPC import what they ask of rpc',
  },
  {
    from: /^http\/websocket\//,
    to: /^(http|api)\/|^rpc\/(call-guard|message|routes|target)\.ts$|^rpc\/(engine\/split-batch|subscriptions\/subscriptions|websocket\/[a-z-]+)\.ts$/,
    instead: 'messages of a WebSocket are what requests of JSON-RPC are, and subscribe by rpc/websocket',
  },
  {
    from: /^http\//,
    to: new RegExp(`^(http|api)/|${routes.source}`),
    instead: 'http imports api and the routes of modules',
  },
  ...(['keys', 'wallets'] as const).map((room) => ({
    from: new RegExp(`^stores/sql/${room}/`),
    to: new RegExp(`^stores/sql/(audit|${room})/`),
    typesOnly: /-store\.ts$|^access\/audit\/audit-note\.ts$/,
    instead: 'the queries of a module import audited transactions and types of its store interface',
  })),
  {
    from: /^stores\/sql\/firewall\//,
    to: /^stores\/sql\/(audit|firewall)\//,
    typesOnly: /-store\.ts$/,
    instead: 'the queries of policies import audited transactions and types of store interfaces',
  },
  {
    from: /^stores\/sql\/deployments\//,
    to: /^stores\/sql\/deployments\//,
    typesOnly: /-store\.ts$|^ledgers\/deployments\/deployment\.ts$/,
    instead: 'the queries of deployments import types of their interface',
  },
  {
    from: /^stores\/sql\/usage\//,
    to: /^stores\/sql\/usage\//,
    typesOnly: /^usage\/usage-store\.ts$/,
    instead: 'the queries of usage import types of their interface',
  },
  { from: /^usage\//, to: /^(usage|api)\//, instead: 'usage imports api' },
  {
    from: /^stores\/sql\/bridge\//,
    to: /^stores\/sql\/bridge\//,
    typesOnly: /^bridge\//,
    instead: 'the queries of the bridge import types of the bridge',
  },
  {
    from: /^stores\/sql\/nodes\//,
    to: /^stores\/sql\/(nodes|audit)\//,
    typesOnly: /-store\.ts$|^access\/audit\/audit-note\.ts$/,
    instead: 'the queries of nodes import audited transactions and types of store interfaces',
  },
  {
    from: /^stores\/sql\/administration\//,
    to: /^stores\/sql\/(audit|administration)\//,
    typesOnly: /-store\.ts$|^access\/audit\/audit-note\.ts$/,
    instead: 'the queries of administration import audited transactions and types of its interfaces',
  },
  {
    from: /^stores\/sql\/audit\//,
    to: /^stores\/sql\/audit\//,
    typesOnly: /-store\.ts$|^access\/audit\/audit-note\.ts$/,
    instead: 'the queries of the audit log import types of its interfaces',
  },
  {
    from: /^stores\/sql\/flow\//,
    to: /^stores\/sql\/(flow|audit)\//,
    typesOnly: /-store\.ts$|^access\/audit\/audit-note\.ts$/,
    instead: 'the queries of flow import audited transactions and types of store interfaces',
  },
  {
    from: /^stores\/sql\/move\//,
    to: /^(stores\/sql\/move\/|stores\/sql\/tables\.ts$)/,
    instead: 'a move imports the descriptors of tables',
  },
  {
    from: /^stores\/sql\/[a-z-]+\.ts$/,
    to: /^stores\/sql\/([a-z-]+\.ts$|[a-z]+\/[a-z-]+-(schema|tables?)\.ts$)/,
    instead: "the schema is made of the rooms' migrations and tables' descriptors",
  },
  {
    from: /^stores\/redis\//,
    to: /^stores\/redis\//,
    typesOnly: /-store\.ts$|^access\/user-limits\.ts$/,
    instead: "stores import types from rooms' store interfaces",
  },
  { from: /^access\//, to: /^(access|api)\//, instead: 'access imports api' },
  {
    from: /^rpc\/target\.ts$/,
    to: /^(rpc|api|ledgers)\//,
    instead: 'rpc/target imports ledgers',
  },
  {
    from: /^rpc\/engine\//,
    to: /^(rpc|api)\/|^ledgers\/families\/named-block\.ts$/,
    typesOnly: /^ledgers\/(node-port|network|heads\/network-heads|transactions\/transaction-kind)\.ts$/,
    instead: "the engine's wrappers import which block a call names, and types of the nodes' port and of heads",
  },
  {
    from: /^rpc\/subscriptions\//,
    to: /^(rpc|api)\//,
    typesOnly: /^ledgers\/(node-port|node-feed|heads\/network-heads)\.ts$/,
    instead: "subscriptions import types of the nodes' port, of what nodes tell and of heads",
  },
  {
    from: /^rpc\//,
    to: /^(rpc|api)\//,
    typesOnly: /^ledgers\/node-port\.ts$/,
    instead: 'rpc reaches ledgers through rpc/target',
  },
  {
    from: /^flow\/payments\/ledger-access\.ts$/,
    to: /^(flow|api|ledgers)\//,
    instead: 'ledger-access imports ledgers',
  },
  {
    from: /^flow\//,
    to: /^(flow|api)\/|^access\/audit\/audit-note\.ts$/,
    instead: 'flow reaches ledgers through flow/payments/ledger-access',
  },
  {
    from: /^agents\//,
    to: /^(api\/|rpc\/message-wire\.ts$|flow\/sessions\/(session-requests|idempotency-key)\.ts$|access\/firewall\/explain-policies\.ts$|usage\/usage-(query|store)\.ts$|ledgers\/(nodes\/node-input|stakes\/stake-wire)\.ts$|bridge\/(deposits\/deposit|history\/history-record|prepared\/(replay|transfer)-input|withdrawals\/withdrawal(-wire)?)\.ts$)/,
    instead: 'agents imports api and the bodies of the routes that its tools call',
  },
  {
    from: /^bridge\//,
    to: /^(bridge|api)\/|^ledgers\/((ask-chain|contract-call|error-faults|network|node-port|own-nodes|permitted-call)\.ts$|contract-calls\/)/,
    instead: 'bridge imports api and what ledgers has for calls of the gateway itself',
  },
  {
    from: /^ledgers\//,
    to: /^api\/|^access\/audit\/audit-note\.ts$/,
    instead: 'a module imports api and the notes of the audit log',
  },
];

/** What `file` should import instead of something that is forbidden to it. */
function forbidden(file: SourceFile, { to, typesOnly }: Import): readonly string[] {
  if (to === file.path || (to.split('/')[0] === file.room && /^(agents|ledgers)$/.test(file.room))) return [];
  const arrow = arrows.find(({ from }) => from.test(file.path));
  if (arrow === undefined) return [`${file.path} → ${to}: no row holds for it`];
  if (arrow.to.test(to) || (typesOnly && arrow.typesOnly?.test(to) === true)) return [];
  return [`${file.path} → ${to}: ${arrow.instead}`];
}

/** The folders of flow, lowest first: each imports only from those before it, types included. */
const flowRooms = [
  'signing',
  'secrets',
  'classifier',
  'payments',
  'registry',
  'apps',
  'validation',
  'events',
  'sessions',
];

const flowRoom = (path: string): string | undefined => /^flow\/([^/]+)\//.exec(path)?.[1];

/** Imports of flow that lead to a higher folder, or to none of its folders. */
function backArrow(file: SourceFile, { to }: Import): readonly string[] {
  const [from, into] = [flowRoom(file.path), flowRoom(to)];
  if (from === undefined || into === undefined) return [];
  const [place, target] = [flowRooms.indexOf(from), flowRooms.indexOf(into)];
  if (place >= 0 && target >= 0 && target <= place) return [];
  return [`${file.path} → ${to}: flow's rooms import those before them: ${flowRooms.join(', ')}`];
}

const arrowsOf = (file: SourceFile) =>
  file.imports.flatMap((each) => [...forbidden(file, each), ...backArrow(file, each)]);

test('every arrow between files is one that the house allows', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(files.flatMap(arrowsOf)).toEqual([]);
});

test('every folder of flow has its place in the order of its rooms', () => {
  const folders = new Set(files.flatMap(({ path }) => flowRoom(path) ?? []));
  expect([...folders].sort()).toEqual([...flowRooms].sort());
  expect(files.filter(({ path }) => /^flow\/[^/]+$/.test(path)).map(({ path }) => path)).toEqual([]);
});

test('the rule itself refuses what the design forbids', () => {
  const refuses = (path: string, text: string) => arrowsOf(sourceFile(path, text)).length;
  expect(refuses('access/a.ts', "import { x } from '../http/edge.ts';")).toBe(1);
  expect(refuses('access/a.ts', "import type { X } from '../stores/sql/tables.ts';")).toBe(1);
  expect(refuses('access/a.ts', "const x = await import('../rpc/message.ts');")).toBe(1);
  expect(refuses('api/a.ts', "import type { X } from '../access/tokens.ts';")).toBe(1);
  expect(refuses('stores/sql/keys/a.ts', "import { x } from '../../../access/api-key-store.ts';")).toBe(1);
  expect(refuses('stores/sql/keys/a.ts', "import type { X } from '../../../access/api-key-store.ts';")).toBe(0);
  expect(refuses('stores/sql/keys/a.ts', "import { x } from '../flow/flow-app-data.ts';")).toBe(1);
  expect(refuses('stores/sql/move/a.ts', "import { x } from '../keys/api-keys-table.ts';")).toBe(1);
  expect(refuses('http/a.ts', "import { x } from '../rpc/message.ts';")).toBe(1);
  expect(refuses('http/a.ts', "import type { X } from '../access/rate-limit.ts';")).toBe(1);
  expect(refuses('rpc/a.ts', "import { x } from '../access/api-key.ts';")).toBe(1);
  expect(refuses('http/a.ts', "export { x } from '../compose/gateway.ts';")).toBe(1);
  expect(refuses('rpc/a.ts', "import {\n  x,\n} from '../ledgers/routing/node-pool.ts';")).toBe(1);
  expect(refuses('flow/events/a.ts', "import type { X } from '../sessions/session.ts';")).toBe(1);
  expect(refuses('flow/events/a.ts', "import { x } from '../registry/version.ts';")).toBe(0);
  expect(refuses('flow/unlisted/a.ts', "import { x } from './b.ts';")).toBe(1);
});

/** The import cycles, type imports included: no file of a cycle can be read without the others. Each cycle is named once. */
function circlesIn(all: readonly SourceFile[]): readonly (readonly string[])[] {
  const byPath = new Map(all.map((file) => [file.path, file]));
  const done = new Set<string>();
  const circles: string[][] = [];
  function walk(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path]);
    if (done.has(path) || trail.includes(path)) return;
    for (const { to } of byPath.get(path)?.imports ?? []) walk(to, [...trail, path]);
    done.add(path);
  }
  for (const { path } of all) walk(path, []);
  return circles;
}

test('no file reaches itself through its imports, types counted', () => {
  const one = sourceFile('api/one.ts', "import { x } from './two.ts';");
  const two = sourceFile('api/two.ts', "import type { Y } from './one.ts';");
  expect(circlesIn([one, two])).toEqual([['api/one.ts', 'api/two.ts', 'api/one.ts']]);
  expect(circlesIn(files)).toEqual([]);
});

test('a package is used where its decision says, and nowhere else (docs/decisions/0001)', () => {
  const homes: Readonly<Record<string, RegExp>> = {
    bun: /^packages\/(http1|redis|sql|websocket)\//,
    'bun:ffi': /^compose\/workers\/port-sockets\.ts$/,
    'bun:sqlite': /^packages\/sql\//,
    jose: /^access\//,
    yaml: /^(config\/config-file|apps\/cli\/src\/flow-apps\/manifest-yaml)\.ts$/,
    viem: /^(packages\/chain\/src\/blocks|access\/wallets|bridge|apps\/cli\/src\/flow|ledgers\/(contract-calls|stakes))\//,
    '@clack/prompts': /^apps\/cli\/src\/flow\//,
    zod: /^(packages\/(body-schema|flow-format)\/src|api|access|agents|bridge|apps\/cli\/src|config|flow|ledgers|usage)\/|^(http|rpc)\/[a-z-]+-wire\.ts$/,
    ulid: /^packages\/base\/src\/ids\.ts$/,
    semver: /^packages\/flow-format\//,
    re2js: /^packages\/(content-filter|flow-format)\//,
    '@scure/bip39': /^packages\/content-filter\/src\/seed-phrases\.ts$/,
    '@noble/curves': /^packages\/chain\/src\/recover-address\.ts$/,
    '@noble/hashes': /^packages\/chain\/src\/keccak\.ts$/,
    '@x402/core': /^flow\/payment/,
    '@modelcontextprotocol/server': /^agents\//,
    '@flowgate/client': /^apps\/cli\//,
    commander: /^apps\/cli\//,
    leven: /^config\/suggest-key\.ts$/,
    'openid-client': /^apps\/cli\/src\/(sign-in\/|commands\/logout\.ts$)/,
  };
  const strangers = all.flatMap(({ path, packages }) =>
    packages
      .filter((name) => !/^node:|^@flowgate\/(?!client$)/.test(name) && homes[name]?.test(path) !== true)
      .map((name) => `${path}: ${name}`),
  );
  expect(strangers).toEqual([]);
});

test('files are named after what they hold, have a head comment, and no file is longer than 400 lines', () => {
  const named = (path: string) => path.split('/').at(-1) ?? '';
  expect(
    all.filter(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.ts$/.test(named(path))).map(({ path }) => path),
  ).toEqual([]);
  expect(
    all.filter(({ path }) => /^(types|common|utils|helpers|shared|index)\./.test(named(path))).map(({ path }) => path),
  ).toEqual([]);
  expect(all.filter(({ head }) => head === undefined || head.length < 20).map(({ path }) => path)).toEqual([]);
  expect(all.filter(({ lines }) => lines > 400).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
});

test('no file only passes on what others export', () => {
  const statements = (text: string) =>
    text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|export [^;]*? from '[^']+';/g, '').trim();
  const barrels = all.filter(({ text }) => /^export \* /m.test(text) || statements(text) === '');
  expect(barrels.map(({ path }) => path)).toEqual([]);
});

const code = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

/** Files whose code matches `pattern` and that are not in `homes`. */
function strays(pattern: RegExp, homes: readonly string[]): readonly string[] {
  return all
    .filter(({ path, text }) => !homes.includes(path) && pattern.test(code(text)))
    .map(({ path }) => `${path}: ${pattern.source}`);
}

test('time, environment and chance each come in at one place', () => {
  const found = [
    ...strays(/\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bBun\.nanoseconds\b|\bhrtime\b/, [
      'packages/base/src/clock.ts',
    ]),
    // The text of a new app, which runs elsewhere.
    ...strays(/\bprocess\.env\b|\bBun\.env\b/, [
      'run-command.ts',
      'apps/cli/src/main.ts',
      'apps/cli/src/flow-apps/template-files.ts',
    ]),
    ...strays(/\bMath\.random\b/, []),
    ...strays(/\bgetRandomValues\b|\brandomUUID|\brandom(Int|Fill|FillSync)\b|\bgenerateKey/, []),
    ...strays(/import [^;]*\brandomBytes\b[^;]* from '(node:)?crypto'/, ['packages/base/src/random.ts']),
  ];
  expect(found).toEqual([]);
});

/** A thread cannot use objects of another thread, so it creates its own clock and randomness. */
const threads = ['packages/sql/src/engine/sqlite/sqlite-worker.ts'];

test('what a process has one of is made once, by the composition root, and handed down', () => {
  // The command line for users is a process of its own, without a gateway.
  const made = ['compose/surroundings.ts', 'apps/cli/src/process-surroundings.ts'];
  const found = [
    // A deadline that allows for a blocked event loop must read the clock that the timers use.
    ...strays(/\bsystemClock\b/, [
      'packages/base/src/clock.ts',
      'packages/async/src/loop-deadline.ts',
      ...made,
      ...threads,
    ]),
    ...strays(/\bsystemRandomBytes\b/, ['packages/base/src/random.ts', ...made, ...threads]),
    ...strays(/\bcreateTimerWheel\(/, ['packages/async/src/timer-wheel.ts', ...made]),
    ...strays(/\bcreateLog\(/, ['packages/telemetry/src/log.ts', ...made]),
  ];
  expect(found).toEqual([]);
  expect(all.filter(({ path, text }) => threads.includes(path) && /\bself\.onmessage\b/.test(text))).toHaveLength(1);
});
