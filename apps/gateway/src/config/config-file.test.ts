import { expect, test } from 'bun:test';
import { readConfig } from './config-file.ts';

const min = `
identity: { issuer: http://127.0.0.1:9000 }
keys: { peppers: [secret-pepper] }
`;

function problems(text: string, environment = {}): string[] {
  const loaded = readConfig(text, environment);
  return loaded.ok ? [] : loaded.problems.map(({ path, message }) => `${path}: ${message}`);
}

function config(text: string, environment = {}) {
  const loaded = readConfig(text, environment);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

test('the least configuration has the documented defaults (contract/running#configuration)', () => {
  const { server, limits, keys, storage, identity, providers } = config(min);
  expect(server).toMatchObject({ host: '127.0.0.1', port: 8080, trustedProxies: [], cors: { origins: [] } });
  expect(limits).toEqual({
    userPerMinute: 300,
    sessionPerMinute: 60,
    invalidPerMinute: 300,
    maxBatch: 100,
    maxBodyBytes: 5_242_880,
    webSocketsPerUser: 20,
    nodesPerUser: 20,
    maxBodyBytesInFlight: 268_435_456,
    maxAnswerBytesInFlight: 268_435_456,
  });
  expect(keys.cacheTtlSeconds).toBe(60);
  expect(storage.database).toBe('sqlite:./data/flowgate.db');
  expect(identity).toMatchObject({ audience: 'flowgate', rolesClaim: 'roles', allowInsecureIssuer: false });
  expect(providers).toHaveLength(8);
});

test('all problems are listed, each with its path (contract/running#configuration)', () => {
  const found = problems(`
server: { port: 99999, hots: x, trustedProxies: [10.0.0.0/33] }
identity: { issuer: http://issuer.example.com }
keys: { peppers: [] }
networks:
  - { dlt: ethereum, networkId: dev, chainId: 0, nodes: [{ nodeId: a, url: "ftp://x" }], methods: { enable: ["admin_*"] } }
`);
  for (const path of [
    'server.port',
    'server.hots',
    'server.trustedProxies[0]',
    'keys.peppers',
    'networks[0].chainId',
    'networks[0].nodes[0].url',
  ])
    expect(found.some((line) => line.startsWith(`${path}: `))).toBe(true);
});

test('problems that involve several keys are reported', () => {
  const found = problems(`
identity: { issuer: http://issuer.example.com, jwksUri: http://keys.example.com }
keys: { peppers: [x] }
networks:
  - { dlt: ethereum, networkId: dev, chainId: 1, default: true, nodes: [{ nodeId: a, url: "http://x" }], methods: { enable: ["admin_*"] } }
  - { dlt: ethereum, networkId: dev, chainId: 1, default: true, nodes: [{ nodeId: a, url: "http://x" }] }
providers: [{ providerId: p, name: P, domains: [p.com] }, { providerId: p, name: P, domains: [p.com] }]
`).map((line) => line.slice(0, line.indexOf(': ')));
  expect(found.toSorted()).toEqual([
    'identity.issuer',
    'identity.jwksUri',
    'networks[0].methods.enable[0]',
    'networks[1].default',
    'networks[1].networkId',
    'networks[1].nodes[0].nodeId',
    'providers[1].providerId',
  ]);
});

test('placeholders are filled after parsing, so that a value can add no structure', () => {
  const text = `${min}server: { port: "\${PORT:-8081}" }\nlog: { level: "\${LEVEL}" }\nnetworks: [{ dlt: a, networkId: a, chainId: 1, nodes: [{ nodeId: a, url: "http://a" }], name: "\${NAME}" }]\n`;
  const given = config(text, { LEVEL: 'warn', NAME: 'x }\nkeys: {' });
  expect([given.server.port, given.log.level, given.networks[0]?.name]).toEqual([8081, 'warn', 'x }\nkeys: {']);
});

test('a placeholder is filled in block style and within a text', () => {
  const text = `${min}server:\n  port: \${PORT:-8082}\n  publicUrl: https://\${NAME}.example.com\n`;
  expect(config(text, { NAME: 'rpc' }).server).toMatchObject({ port: 8082, publicUrl: 'https://rpc.example.com' });
});

test('booleans and numbers come from the environment as YAML would read them; a pepper of digits stays text', () => {
  const text =
    'identity: { issuer: "http://i.example.com", allowInsecureIssuer: "${INSECURE}" }\nkeys: { peppers: ["${PEPPER}"] }';
  const { identity, keys } = config(text, { INSECURE: 'true', PEPPER: '0012345678' });
  expect(identity.allowInsecureIssuer).toBe(true);
  expect(keys.peppers).toEqual(['0012345678']);
});

test('an unset variable without a default is named, once, with its path', () => {
  expect(problems('identity: { issuer: http://127.0.0.1 }\nkeys: { peppers: ["${FLOWGATE_PEPPER}"] }')).toEqual([
    'keys.peppers[0]: environment variable FLOWGATE_PEPPER is not set and has no default',
  ]);
});

test('an empty default leaves an optional key out', () => {
  expect(config(`${min}flow: { facilitatorUrl: "\${FACILITATOR:-}" }`).flow.facilitatorUrl).toBeUndefined();
});

test('YAML that is broken, doubled keys and a file that is no mapping are problems, not crashes', () => {
  for (const text of ['a: [', 'keys: {}\nkeys: {}', '- a', 'text', ''])
    expect(problems(text).length).toBeGreaterThan(0);
});

test('problems that involve several keys are reported together with invalid values', () => {
  const found = problems(`
identity: { issuer: http://issuer.example.com }
keys: { peppers: [] }
networks:
  - { dlt: ethereum, networkId: a, chainId: 1, nodes: [{ nodeId: n, url: "http://x" }] }
  - { dlt: ethereum, networkId: b, chainId: wrong, nodes: [{ nodeId: n, url: "http://x" }], methods: { enable: ["admin_*"] } }
  - { dlt: ethereum, networkId: a, chainId: 1, nodes: [{ nodeId: n, url: "http://x" }] }
`).map((line) => line.slice(0, line.indexOf(': ')));
  expect(found).toEqual([
    'keys.peppers',
    'networks[1].chainId',
    'identity.issuer',
    'networks[1].nodes[0].nodeId',
    'networks[2].networkId',
    'networks[2].nodes[0].nodeId',
    'networks[1].methods.enable[0]',
  ]);
});

test.each(['https://u:p@i.example.com', 'https://i.example.com/?a=b', 'https://i.example.com/#x'])(
  'an issuer like %s is no issuer (OpenID Connect Discovery 3)',
  (issuer) => {
    expect(problems(`identity: { issuer: "${issuer}" }\nkeys: { peppers: [x] }`)[0]).toStartWith('identity.issuer: ');
  },
);

test.each([
  ['an alias without an anchor', 'a: *nope\n'],
  ['an alias within its own anchor', 'a: &a { b: *a }\n'],
  [
    'a bomb of aliases',
    `a: &a [x,x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g'].map((name, at) => `${name}: &${name} [${`*${'abcdef'[at]},`.repeat(10)}]`).join('\n')}\n`,
  ],
  ['a wildcard without quotes', 'server: { cors: { origins: [ *any ] } }\n'],
])('%s is a problem, not a crash', (_, text) => {
  expect(problems(text)).toEqual([expect.stringContaining('not valid YAML: ')]);
});

test('a missing key is reported as required, with its path', () => {
  expect(problems('server: {}')).toEqual(['identity: is required', 'keys: is required']);
  expect(problems(`${min}networks: [{ dlt: a, networkId: b, chainId: 1 }]`)).toEqual([
    'networks[0].nodes: is required',
  ]);
});

test.each(['sqlite::memory:', 'sqlite:file:x?mode=memory', 'sqlite:', 'mysql://x'])(
  '%s is no database (contract/running#configuration)',
  (database) => {
    expect(problems(`${min}storage: { database: "${database}" }`)[0]).toStartWith('storage.database: ');
  },
);

test.each([
  'redis://:SEC/RETpass@127.0.0.1:6379',
  'redis://:SEC#RETpass@127.0.0.1:6379',
  'redis://:SEC?RETpass@127.0.0.1:6379',
  'redis://:50%SECRET@127.0.0.1:6379',
  'redis://127.0.0.1:6379/first',
  'http://127.0.0.1:6379',
  'redis://',
])('%s is no address of a Redis, and is not repeated', (redis) => {
  const found = problems(`${min}storage: { redis: "${redis}" }`);
  expect(found).toHaveLength(1);
  expect(found[0]).toStartWith('storage.redis: ');
  expect(found[0]).not.toContain('SEC');
});

test.each(['redis://127.0.0.1', 'rediss://user:p%2Fw@cache.example.com:6380/3', 'redis://:pw@[::1]:6379'])(
  '%s is one',
  (redis) => {
    expect(config(`${min}storage: { redis: "${redis}" }`).storage.redis).toBe(redis);
  },
);

test.each(['Host', 'content-length', 'Transfer-Encoding', 'a b'])('a node cannot be given the header %s', (name) => {
  const found = problems(
    `${min}networks: [{ dlt: a, networkId: b, chainId: 1, nodes: [{ nodeId: n, url: "http://x", headers: { "${name}": x } }] }]`,
  );
  expect(found).toHaveLength(1);
  expect(found[0]).toStartWith('networks[0].nodes[0].headers');
});

test('no problem shows a value: values may be secrets', () => {
  const found = problems(
    'identity: { issuer: "http://user:hunter2@i.example.com" }\nkeys: { peppers: "hunter2" }\nserver: { port: hunter2 }',
  );
  expect(found.join('\n')).not.toContain('hunter2');
  expect(found.length).toBe(3);
});

test("the content filter's settings are checked, each with its path", () => {
  const found = problems(`${min}
flow:
  contentFilter:
    disable: [markup, nonsense]
    flag: [mine, unsafe-links, absent]
    rules:
      - { ruleId: mine, pattern: "a+" }
      - { ruleId: mine, pattern: "(" }
      - { ruleId: markup, pattern: "(?=a)" }
      - { pattern: 7 }
`).map((line) => line.slice(0, line.indexOf(': ')));
  expect(found).toEqual([
    'flow.contentFilter.rules[3].ruleId',
    'flow.contentFilter.rules[3].pattern',
    'flow.contentFilter.disable[1]',
    'flow.contentFilter.flag[2]',
    'flow.contentFilter.rules[1].ruleId',
    'flow.contentFilter.rules[1].pattern',
    'flow.contentFilter.rules[2].ruleId',
    'flow.contentFilter.rules[2].pattern',
  ]);
});

test('the classifier is asked over https or on loopback, with a secret that signs', () => {
  const found = (url: string, secret: string) =>
    problems(`${min}\nflow: { contentFilter: { classifier: { url: "${url}", secret: "${secret}" } } }\n`).map((line) =>
      line.slice(0, line.indexOf(': ')),
    );
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const place = 'flow.contentFilter.classifier';
  expect(found('https://classifier.example/texts', secret)).toEqual([]);
  expect(found('http://127.0.0.1:8790/', 'another secret of 24 characters')).toEqual([]);
  expect(found('http://classifier.example/texts', secret)).toEqual([`${place}.url`]);
  expect(found('ftp://classifier.example', 'short')).toEqual([`${place}.url`, `${place}.secret`]);
  expect(found('https://classifier.example/', 'whsec_no base64 at all, and long')).toEqual([`${place}.secret`]);
});

const sound = 'identity: { issuer: http://127.0.0.1:9000 }\nkeys: { peppers: ["0123456789-0123456789-0123456789"] }\n';

function unsafe(text: string): string[] {
  return readConfig(text, {}).unsafe.map(({ path, message }) => `${path}: ${message}`);
}

test('peppers that are short or there twice are unsafe, blank ones are none (contract/running#configuration)', () => {
  const long = 'x'.repeat(32);
  expect(unsafe(sound)).toEqual([]);
  expect(unsafe(`identity: { issuer: http://127.0.0.1 }\nkeys: { peppers: [${long}, short, ${long}, short] }`)).toEqual(
    [
      'keys.peppers[1]: must have at least 32 random characters',
      'keys.peppers[2]: is there twice',
      'keys.peppers[3]: is there twice',
    ],
  );
  expect(problems('identity: { issuer: http://127.0.0.1 }\nkeys: { peppers: ["", "    "] }')).toEqual([
    'keys.peppers[0]: must not be blank',
    'keys.peppers[1]: must not be blank',
  ]);
});

test('a lease shorter than the render timeout is unsafe, also with a default value and with other problems', () => {
  const lease = ['flow.leaseSeconds: must not be shorter than flow.renderTimeoutSeconds'];
  expect(unsafe(`${sound}flow: { leaseSeconds: 5 }`)).toEqual(lease);
  expect(unsafe(`${sound}flow: { renderTimeoutSeconds: 60 }`)).toEqual(lease);
  expect(unsafe(`${sound}flow: { renderTimeoutSeconds: 60 }\nserver: { port: x }`)).toEqual(lease);
  expect(unsafe(`${sound}flow: { leaseSeconds: 60, renderTimeoutSeconds: 60 }`)).toEqual([]);
});

test('an origin that no browser sends is a problem', () => {
  const found = problems(
    `${sound}server: { cors: { origins: ["*", "http://localhost:*", "app.example.com", "https://a.example/"] } }`,
  );
  expect(found.map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
    'server.cors.origins[2]',
    'server.cors.origins[3]',
  ]);
});

test('a missing module is reported together with other problems', () => {
  const text = `${sound}flow: { embeddedApps: [./there.ts, ./absent.ts] }\nserver: { port: x }`;
  const loaded = readConfig(text, {}, (path) => path === './there.ts');
  expect(loaded.ok ? [] : loaded.problems.map(({ path }) => path)).toEqual(['server.port', 'flow.embeddedApps[1]']);
});

test('a key that YAML has twice is named, with the line', () => {
  expect(problems('identity: { issuer: http://127.0.0.1 }\nkeys:\n  peppers: [a]\n  peppers: [b]\n')).toEqual([
    ': not valid YAML: the key peppers is a duplicate, at line 4',
  ]);
  expect(problems('"keys" : {}\n"keys" : {}')[0]).toContain('the key keys is a duplicate');
  // A key that is no identifier may be a misplaced secret.
  expect(problems('? [hunter2]\n: a\n? [hunter2]\n: b')[0]).not.toContain('hunter2');
});

test('every YAML error is reported, not only the first', () => {
  expect(problems('a: 1\na: 2\nb: 1\nb: 2\n')).toHaveLength(2);
});

test('a variable that is set but empty is named where it leaves a hole', () => {
  const text = 'identity: { issuer: "${ISSUER}", audience: "a-${NAME}" }\nkeys: { peppers: ["${PEPPER}"] }';
  expect(problems(text, { ISSUER: '', NAME: '', PEPPER: '' }).toSorted()).toEqual([
    'identity.audience: environment variable NAME is empty; ${NAME:-} would allow that',
    'identity.issuer: is required, and environment variable ISSUER is empty',
    'keys.peppers[0]: is required, and environment variable PEPPER is empty',
  ]);
  // Optional keys are left out by it.
  expect(
    config(`${sound}flow: { facilitatorUrl: "\${FACILITATOR}" }`, { FACILITATOR: '' }).flow.facilitatorUrl,
  ).toBeUndefined();
});
