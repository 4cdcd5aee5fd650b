/** Mistakes in configurations and their messages, which are complete and contain no secret. */

import { expect, test } from 'bun:test';
import { readConfig } from './config-file.ts';

const sound = 'identity: { issuer: http://127.0.0.1:9000 }\nkeys: { peppers: ["0123456789-0123456789-0123456789"] }\n';

function problems(text: string, environment = {}): string[] {
  const loaded = readConfig(text, environment);
  return loaded.ok ? [] : loaded.problems.map(({ path, message }) => `${path}: ${message}`);
}

test('what is no placeholder, and looks like one, is a problem: left as it is, a pepper would stand in the file for everybody', () => {
  const forms = [
    '${PEPPER_OF_PRODUCTION:?must be set}',
    '${ PEPPER_OF_PRODUCTION_AT_HOME }',
    '${PEPPER-of-production-at-home}',
  ];
  for (const form of [
    ...forms,
    '${A:-${PEPPER_OF_PRODUCTION_AT_HOME}}',
    'a-${PEPPER}-and-${PEPPER_OF_PRODUCTION',
    '${}',
  ])
    expect(
      problems(`identity: { issuer: http://127.0.0.1 }\nkeys: { peppers: ['${form}'] }`, { PEPPER: 'x'.repeat(40) }),
    ).toEqual([
      'keys.peppers[0]: contains ${ outside of a placeholder: write ${NAME} or ${NAME:-default}, without nesting',
    ]);
  const texts = ['a$b', '$NAME', '{NAME}', '$$', '$ {NAME}'];
  const loaded = readConfig(`identity: { issuer: http://127.0.0.1 }\nkeys: { peppers: ['${texts.join("', '")}'] }`, {});
  expect(loaded.ok && loaded.config.keys.peppers).toEqual(texts);
});

test('no message repeats what came from a variable, and no path what is no name', () => {
  const secret = 'S3CRET/value';
  const text = `${sound}
storage: { database: "postgres://u:p@h/db?\${SECRET}=1" }
flow: { embeddedApps: ["./\${SECRET}.ts"] }
"Bearer S3CRET": 1
networks:
  - dlt: ethereum
    networkId: a
    chainId: 1
    nodes: [{ nodeId: a, url: "http://127.0.0.1", headers: { "Authorization: Bearer S3CRET": x } }]
    methods: { enable: ["\${SECRET}"] }
`;
  const loaded = readConfig(text, { SECRET: secret }, () => false);
  const reported = loaded.ok ? [] : loaded.problems.map(({ path, message }) => `${path}: ${message}`);
  expect(reported.toSorted().map((line) => line.slice(0, 60))).toEqual([
    '(a key that is no name): is not a known key',
    'flow.embeddedApps[0]: there is no module ./${SECRET}.ts rela',
    'networks[0].methods.enable[0]: "${SECRET}" is no method patt',
    'networks[0].nodes[0].headers.(a key that is no name): must b',
    'storage.database: the database address allows sslmode and ss',
  ]);
  expect(reported.join()).not.toContain('S3CRET');
});

test('what start would refuse is refused: addresses of the database, hosts to listen on', () => {
  const of = (part: string) => problems(`${sound}${part}`).map((line) => line.slice(0, line.indexOf(': ')));
  for (const url of [
    'u:a/b@h/db',
    'u:p%zz@h/db',
    'u:p@h:99999/db',
    'u:p@h',
    'h/db',
    'u:p@h/db?sslmode=maybe',
    'u@h/db?x=1',
  ])
    expect(of(`storage: { database: "postgres://${url}" }`)).toEqual(['storage.database']);
  for (const host of ['', ' ', 'http://0.0.0.0', 'localhost:8080', 'not a host', '[::1]', '0.0.0.0/0', 'a\\nb'])
    expect(of(`server: { host: "${host}" }`)).toEqual(['server.host']);
  for (const host of ['0.0.0.0', '::', '::1', 'localhost', 'gateway-1.internal', 'fe80::1%eth0'])
    expect(of(`server: { host: "${host}" }`)).toEqual([]);
});

test('a host that no URL can contain is refused', () => {
  const of = (hosts: readonly string[]) =>
    problems(`${sound}outbound: { allowPrivateHosts: ${JSON.stringify(hosts)} }`).length;
  const wrong = [
    'http://127.0.0.1',
    '10.0.0.0/8',
    '',
    'a:b',
    'a:99999',
    '::1',
    'a b',
    'u@h',
    'h:',
    '127.1',
    'bücher.example',
  ];
  expect(wrong.filter((host) => of([host]) !== 1)).toEqual([]);
  expect(
    of(['127.0.0.1', 'localhost:3000', '[::1]', '[::1]:8545', 'node.internal', 'LOCALHOST', 'h:443', 'h:80']),
  ).toBe(0);
});

test('YAML types whose keys would be ignored are refused', () => {
  for (const value of ['!!set { userPerMinute }', '!!omap [ userPerMinute: 5 ]', '!!binary aGVsbG8='])
    expect(problems(`${sound}limits: ${value}`)).toEqual([
      'limits: is of a YAML type (set, omap, binary) that no setting accepts',
    ]);
});

test('white space makes no pepper longer', () => {
  const padded = readConfig(
    `identity: { issuer: http://127.0.0.1 }\nkeys: { peppers: ["short${' '.repeat(40)}"] }`,
    {},
  );
  expect(padded.unsafe.map(({ path }) => path)).toEqual(['keys.peppers[0]']);
});

test('the message for a file without keys says what it should contain', () => {
  for (const text of ['just text', '- a\n- b', '5'])
    expect(problems(text)).toEqual([': must be keys with their values (key: value)']);
});

test('several workers need what they share: PostgreSQL, Redis, and a port with a name', () => {
  const of = (text: string) => problems(`${sound}${text}`);
  const shared = 'storage: { database: "postgres://u:p@h/db", redis: "redis://h" }';
  expect(of('server: { workers: 2 }')).toEqual([
    'server.workers: must be 1 without PostgreSQL (storage.database)',
    'server.workers: must be 1 without Redis (storage.redis), through which workers share limits and revocations',
  ]);
  expect(of(`server: { workers: "4" }\n${shared}`)).toEqual([]);
  expect(of(`server: { workers: 4, port: 0 }\n${shared}`)).toEqual(['server.port: must not be 0 with several workers']);
  expect(of('server: { workers: 1, port: 0 }')).toEqual([]);
  expect(of('server: { workers: 65 }')[0]).toStartWith('server.workers: ');
});

test('staking contracts have addresses whose checksum is right, and are there once', () => {
  const contract = (contractId: string, address: string) => `{ contractId: ${contractId}, address: "${address}" }`;
  const network = (networkId: string, staking: readonly string[]) =>
    `  - { dlt: ethereum, networkId: ${networkId}, chainId: 1, nodes: [{ nodeId: ${networkId}, url: "http://127.0.0.1" }], staking: [${staking}] }\n`;
  const good = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const all = [
    network('a', [
      contract('one', good),
      contract('two', good.toLowerCase()),
      contract('three', good.replace('5a', '5A')),
    ]),
    network('b', [contract('one', good), contract('four', `${good}00`)]),
  ];
  expect(problems(`${sound}networks:\n${all.join('')}`).toSorted()).toEqual([
    'networks[0].staking[2].address: must be an address: 0x and 40 hexadecimal digits, in mixed case with the checksum of EIP-55',
    'networks[1].staking[1].address: must be an address: 0x and 40 hexadecimal digits, in mixed case with the checksum of EIP-55',
  ]);
  const some = [
    network('a', [contract('one', good), contract('two', good.toLowerCase())]),
    network('b', [contract('one', good)]),
  ];
  expect(problems(`${sound}networks:\n${some.join('')}`).toSorted()).toEqual([
    `networks[0].staking[1].address: there is already a staking contract at ${good.toLowerCase()} on network ethereum/a`,
    'networks[1].staking[0].contractId: there is already a contract one',
  ]);
});
