/**
 * The dependency rules of the gateway's modules (dependency-cruiser). A module is a folder of src, or of src/resources; type imports count, tests and contract suites are exempt.
 * Every module may import `api` and packages. `.dependency-cruiser.cjs` has the rules of packages and refuses cycles.
 */

const source = '^apps/gateway/src/';
const test = String.raw`\.(test|contract)\.ts$`;

/** Each module with the modules that it may also import. */
const modules = {
  api: [],
  audit: [],
  usage: [],
  limits: ['audit'],
  firewall: ['audit'],
  wallets: ['audit'],
  maintenance: ['audit'],
  identity: ['audit', 'limits'],
  upstream: [],
  rpc: ['upstream'],
  prepared: ['upstream'],
  'resources/networks': ['upstream'],
  'resources/contracts': ['upstream'],
  'resources/nodes': ['upstream', 'audit'],
  'resources/stakes': ['upstream', 'prepared'],
  bridge: ['upstream', 'prepared'],
  flow: ['audit', 'upstream'],
  mcp: [],
  edge: ['rpc', 'mcp'],
  config: [],
  storage: [],
  commands: ['bootstrap', 'config', 'bridge', 'audit', 'storage', 'upstream'],
};

/** Single files of other modules that a module may import besides: what belongs to both and knows nothing of its module. */
const files = {
  // The bodies of the routes that tools ask, as schemas.
  mcp: [
    'bridge/(deposits/deposit|history/history-record|prepared/(bridge-transfer|replay)-input|withdrawals/withdrawal(-wire)?)',
    'firewall/explain-policies',
    'flow/sessions/(session-requests|idempotency-key)',
    'resources/(nodes/node-input|stakes/stake-wire)',
    'rpc/message-wire',
    'usage/usage-(query|store)',
  ],
  // What reads the values of single keys of the configuration.
  config: [
    'flow/(apps/load-embedded-apps|signing/webhook-signature)',
    'rpc/method-policy',
    'upstream/(networks/node-secrets|port/node-schemes|routing/routing-settings)',
  ],
  // The order of all migrations, and every table.
  storage: ['.*-(schema|tables?)'],
};

/** The folders of a module, lowest first; `.` is the files of the module itself. Each imports only those before it. */
const layers = {
  identity: ['keys', 'tokens', 'users', '.'],
  upstream: ['port', 'response', 'routing', 'heads', 'transports', 'networks'],
  rpc: ['engine', '.', 'subscriptions'],
  edge: ['contexts', 'meters', 'websocket', 'pages', 'openapi', 'steps', 'pipelines', '.'],
  bridge: [
    ...['chain', 'decoding', 'bridges', 'facts', 'indexing', 'tokens', 'lists', 'swaps', 'deposits', 'withdrawals'],
    ...['history', 'prepared', 'checks', '.'],
  ],
  flow: [
    ...['.', 'signing', 'classifier', 'secrets', 'payments', 'registry', 'apps', 'validation'],
    ...['events', 'sessions'],
  ],
  bootstrap: ['.', 'workers'],
};

/** Which modules may import which package from npm (docs/decisions/0001). */
const homes = {
  '@modelcontextprotocol/server': 'mcp/',
  '@x402/core': 'flow/payments/',
  'bun:ffi': 'bootstrap/workers/port-sockets',
  'bun:sqlite': '$',
  jose: 'identity/tokens/',
  leven: 'config/',
  re2js: 'flow/',
  semver: 'flow/',
  viem: '(wallets|bridge|prepared|resources/stakes)/',
  yaml: 'config/config-file',
  zod: '[a-z]+/',
};

const anyOf = (names) => `${source}(${names.join('|')})`;
const pathOf = (folder) => (folder === '.' ? '[^/]+$' : `${folder}/`);

const moduleRules = Object.entries(modules).map(([name, imports]) => ({
  name: `${name} imports ${['api', ...imports].filter((each) => each !== name).join(', ') || 'no other module'}${files[name] === undefined ? '' : ' and the files named for it'}`,
  severity: 'error',
  from: { path: `${source}${name}/`, pathNot: test },
  to: {
    path: source,
    pathNot: [
      anyOf([name, 'api', ...imports].map((each) => `${each}/`)),
      ...(files[name] ?? []).map((each) => String.raw`${source}${each}\.ts$`),
    ],
  },
}));

const layerRules = Object.entries(layers).flatMap(([name, folders]) =>
  folders.map((folder, at) => ({
    name: `${name}/${folder} imports ${folders.slice(0, at).join(', ') || 'no other folder'} of ${name}`,
    severity: 'error',
    from: { path: `${source}${name}/${pathOf(folder)}`, pathNot: test },
    to: {
      path: `${source}${name}/`,
      pathNot: anyOf(folders.slice(0, at + 1).map((each) => `${name}/${pathOf(each)}`)),
    },
  })),
);

const homeRules = Object.entries(homes).map(([name, home]) => ({
  name: `${name} is imported only where its row says`,
  severity: 'error',
  from: { path: source, pathNot: [test, `${source}${home}`] },
  to: { path: [`^node_modules/${name}/`, `^apps/gateway/node_modules/${name}/`, `^${name}$`] },
}));

/** Which module an unlisted folder belongs to must be decided first. */
const listed = [...Object.keys(modules), 'bootstrap'].map((each) => `${each}/`);

const rules = [
  {
    name: 'a new module gets a row in the table of modules',
    severity: 'error',
    from: { path: source, pathNot: [test, anyOf(listed), `${source}[^/]+$`] },
    to: {},
  },
  ...Object.entries(layers).map(([name, folders]) => ({
    name: `a new folder of ${name} gets its place in the order of its folders`,
    severity: 'error',
    from: { path: `${source}${name}/`, pathNot: [test, anyOf(folders.map((each) => `${name}/${pathOf(each)}`))] },
    to: {},
  })),
  {
    name: 'nothing imports the process',
    severity: 'error',
    from: { path: source, pathNot: [test, `${source}main`] },
    to: { path: String.raw`${source}main\.ts$` },
  },
  {
    name: 'SQL implementations are named by bootstrap and commands only, which hand them over',
    severity: 'error',
    from: { path: source, pathNot: [test, `${source}(bootstrap|commands)/`, '/sql-[^/]+$'] },
    to: { path: `${source}.*/sql-[^/]+$` },
  },
  {
    name: 'statements are in files of SQL, schemas and tables',
    severity: 'error',
    from: {
      path: source,
      pathNot: [test, `${source}(bootstrap|commands|storage|config)/`, '/sql-[^/]+$', '-(schema|tables?).ts$'],
    },
    to: { path: '^packages/sql/src/engine/' },
  },
  {
    name: 'the gateway imports packages, not the client, the development kit or another application',
    severity: 'error',
    from: { path: source, pathNot: test },
    to: { path: '^(client|devkit|apps/(?!gateway/))' },
  },
  {
    name: 'a package from npm is used where its row says',
    severity: 'error',
    from: { path: source, pathNot: test },
    to: {
      dependencyTypes: ['npm', 'npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional', 'npm-peer'],
      path: 'node_modules/',
      pathNot: [`node_modules/(${Object.keys(homes).join('|')})/`, 'node_modules/@types/bun/'],
    },
  },
];

module.exports = { gatewayRules: [...moduleRules, ...layerRules, ...homeRules, ...rules] };
