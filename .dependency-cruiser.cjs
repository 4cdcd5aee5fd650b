/**
 * The dependency rules of the packages, the client, the command line, the console and the development kit, checked by `npm run check` (dependency-cruiser). Type imports count; tests are exempt and may also import `testing`.
 * What a package lets others import is the `exports` of its package.json: the compiler refuses everything else.
 */

const { gatewayRules } = require('./apps/gateway/dependency-rules.cjs');

/** Each package with the packages that it may import. */
const packages = {
  base: [],
  bytes: ['base'],
  json: ['bytes'],
  async: ['base'],
  telemetry: ['base'],
  'body-schema': ['base', 'json'],
  chain: [],
  http1: ['base', 'bytes', 'async', 'telemetry'],
  websocket: ['base', 'bytes', 'async', 'http1'],
  sql: ['base', 'async', 'telemetry'],
  redis: ['base', 'json', 'async', 'telemetry'],
  'content-filter': ['json', 'chain'],
  'flow-format': ['base', 'json', 'body-schema', 'chain', 'content-filter'],
  testing: ['base', 'bytes', 'async', 'telemetry', 'http1', 'flow-format'],
};

const test = String.raw`\.(test|contract)\.ts$|^packages/[^/]+/test/`;
const anyOf = (names) => `^packages/(${names.join('|')})/`;

const tableRules = Object.entries(packages).map(([name, imports]) => ({
  name: `${name} imports ${imports.length === 0 ? 'no other package' : `only ${imports.join(', ')}`}`,
  severity: 'error',
  from: { path: `^packages/${name}/`, pathNot: test },
  to: { path: '^packages/', pathNot: anyOf([name, ...imports]) },
}));

const rules = [
  {
    name: 'a new package gets a row in the table of packages',
    severity: 'error',
    from: { path: '^packages/', pathNot: anyOf(Object.keys(packages)) },
    to: {},
  },
  {
    name: 'a package imports no application, no client and no development tool',
    severity: 'error',
    from: { path: '^packages/', pathNot: test },
    to: { path: '^(apps|client|devkit)/' },
  },
  {
    name: 'tests of a package import no application either',
    severity: 'error',
    from: { path: '^packages/', pathNot: '^packages/sql/' }, // Its engines are still tested with the tables of the gateway.
    to: { path: '^apps/' },
  },
  {
    name: 'the command line runs without the gateway: only its entry loads it, when a command for operators is called',
    severity: 'error',
    from: { path: '^apps/cli/', pathNot: test },
    to: {
      path: '^(apps/(gateway|console)|devkit)/', // Its parts for Flow Apps move to packages/flow-format.
      pathNot: '^apps/gateway/src/(operator-command|run-command)[.]ts$',
    },
  },
  {
    name: 'only the entry of the command line loads the gateway',
    severity: 'error',
    from: { path: '^apps/cli/', pathNot: [test, '^apps/cli/src/main[.]ts$'] },
    to: { path: '^apps/gateway/src/run-command[.]ts$' },
  },
  {
    name: 'the gateway imports nothing of the command line',
    severity: 'error',
    from: { path: '^apps/gateway/src/', pathNot: test },
    to: { path: '^apps/cli/' },
  },
  {
    name: 'only tests import the package of test helpers',
    severity: 'error',
    from: {
      path: '^(packages|apps/cli/src|apps/gateway/src|client/src|apps/console/src|devkit/src)/',
      pathNot: [test, '^packages/testing/'],
    },
    to: { path: '^packages/testing/' },
  },
  {
    name: 'the client imports nothing of this repository',
    severity: 'error',
    from: { path: '^client/', pathNot: `${test}|^client/test/` },
    to: { path: '^(apps|packages|devkit)/' },
  },
  {
    name: 'the console imports the client only',
    severity: 'error',
    from: { path: '^apps/console/', pathNot: [test, '^apps/console/test/'] },
    to: { path: '^(apps|packages|devkit)/', pathNot: '^apps/console/' },
  },
  {
    name: 'the development kit imports the client only; it starts a gateway as a process',
    severity: 'error',
    from: { path: '^devkit/', pathNot: `${test}|^devkit/test/` },
    to: { path: '^(apps|packages)/' },
  },
  {
    name: 'the client is imported by its name, which has the public exports only',
    severity: 'error',
    from: {
      path: '^(apps|devkit|packages)/',
      pathNot: [test, '^devkit/test/', '^apps/(gateway|console)/(test|bench)/'],
    },
    to: { path: '^client/', dependencyTypes: ['local'] },
  },
  {
    name: 'a package is imported by its name, not by a path into it',
    severity: 'error',
    from: { path: '^packages/([^/]+)/' },
    to: { path: '^packages/', pathNot: '^packages/$1/', dependencyTypes: ['local'] },
  },
  {
    name: 'what a package imports from elsewhere is named in its package.json',
    severity: 'error',
    from: { path: '^packages/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: '/@types/bun/' },
  },
  {
    name: 'what a package imports outside of its tests is no development dependency',
    severity: 'error',
    from: { path: '^packages/', pathNot: test },
    to: { dependencyTypes: ['npm-dev'] },
  },
  {
    name: 'every import leads to a file',
    severity: 'error',
    from: { path: '^packages/' },
    to: { couldNotResolve: true, pathNot: '^bun(:|$)' },
  },
  { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'every source file is reached from a program, not only from tests',
    severity: 'error',
    from: {
      path: [
        '^apps/cli/src/main[.]ts$',
        '^apps/gateway/src/(operator|run)-command[.]ts$',
        '^apps/console/(src/main[.]tsx|vite[.]config[.]ts)$',
        '^(client|devkit)/src/[^/]+[.]ts$',
        '-worker[.]ts$', // Threads are started by path.
      ],
    },
    to: {
      path: '^(apps/(gateway|cli|console)/src|packages/[^/]+/src)/',
      pathNot: [test, '[.]d[.]ts$', '-worker[.]ts$', '^packages/testing/', '^apps/(console|cli)/src/main[.]tsx?$'],
      reachable: false,
    },
  },
];

module.exports = {
  forbidden: [...tableRules, ...rules, ...gatewayRules],
  options: {
    // Type imports are gone after compilation.
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules'] },

    combinedDependencies: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['bun', 'import', 'types', 'default'] },
  },
};
