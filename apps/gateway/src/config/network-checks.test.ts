import { expect, test } from 'bun:test';
import { readConfig } from './config-file.ts';

const sound = 'identity: { issuer: "https://id.example" }\nkeys: { peppers: ["p"] }\n';
const solanaHash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const bitcoinHash = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';

/** The problems of a file with one network of these members. */
function problems(network: string): readonly string[] {
  const node = 'nodes: [{ nodeId: n, url: "http://127.0.0.1" }]';
  const loaded = readConfig(`${sound}networks: [{ dlt: a, networkId: b, ${node}, ${network} }]`, {});
  return loaded.ok ? [] : loaded.problems.map(({ path, message }) => `${path}: ${message}`);
}

test.each([
  'chainId: 1',
  'family: evm, chainId: 1',
  `family: solana, genesisHash: ${solanaHash}, methods: { enable: [getProgramAccounts, "getToken*"] }`,
  `family: solana, genesisHash: "${'1'.repeat(32)}"`,
  `family: bitcoin, genesisHash: "${bitcoinHash}", methods: { enable: [gettxoutsetinfo] }`,
  `family: bitcoin, genesisHash: "${bitcoinHash.toUpperCase()}"`,
])('a network is what its family says: %s (contract/networks#catalog)', (network) => {
  expect(problems(network)).toEqual([]);
});

const solanaForm = 'must be 32 bytes in base 58, as getGenesisHash returns them';
const bitcoinForm = 'must be 64 hexadecimal digits, as getblockhash 0 returns them';
const contract = '[{ contractId: c, role: token, address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }]';

test.each([
  ['family: evm', ['chainId: is required']],
  ['family: other, chainId: 1', ['family: Invalid option: expected one of "evm"|"solana"|"bitcoin"']],
  [`chainId: 1, genesisHash: ${solanaHash}`, ['genesisHash: is for other families: this network is of the family evm']],
  ['family: solana', ['genesisHash: is required: it identifies a network of the family solana']],
  ['family: bitcoin', ['genesisHash: is required: it identifies a network of the family bitcoin']],
  [
    `family: solana, chainId: 1, genesisHash: ${solanaHash}`,
    ['chainId: is for other families: this network is of the family solana'],
  ],
  ...[bitcoinHash, `${solanaHash}1`, solanaHash.slice(4), `${solanaHash.slice(0, -1)}0`, '1'.repeat(33), 'x'].map(
    (hash) => [`family: solana, genesisHash: "${hash}"`, [`genesisHash: ${solanaForm}`]] as const,
  ),
  ...[solanaHash, bitcoinHash.slice(1), `0x${bitcoinHash}`, `${bitcoinHash} `].map(
    (hash) => [`family: bitcoin, genesisHash: "${hash}"`, [`genesisHash: ${bitcoinForm}`]] as const,
  ),
  [
    `family: bitcoin, genesisHash: "${bitcoinHash}", contracts: ${contract}`,
    ['contracts: is for other families: this network is of the family bitcoin'],
  ],
  [
    `family: solana, genesisHash: ${solanaHash}, methods: { enable: ["trace_*", getBalance, requestAirdrop, "*", getSupply] }`,
    [
      'methods.enable[0]: "trace_*" is no method pattern: write a name such as getProgramAccounts, or the beginning of names such as getToken*',
      'methods.enable[1]: "getBalance" opens nothing: only the heavy families are off until enabled',
      'methods.enable[2]: "requestAirdrop" opens nothing: only the heavy families are off until enabled',
      'methods.enable[3]: "*" is no method pattern: write a name such as getProgramAccounts, or the beginning of names such as getToken*',
    ],
  ],
  ['chainId: 1, confirmations: 0', ['confirmations: Too small: expected number to be >=1']],
  [
    `chainId: 1, contracts: [{ contractId: c, role: "", address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAEd" }]`,
    [
      'contracts[0].role: must be 1 to 64 letters, digits, dots, dashes or underscores',
      'contracts[0].address: must be an address: 0x and 40 hexadecimal digits, in mixed case with the checksum of EIP-55',
    ],
  ],
  [
    `chainId: 1, contracts: ${contract}, staking: ${contract.replace('role: token, ', '')}`,
    ['staking[0].contractId: there is already a contract c'],
  ],
] as const)('what does not fit is named: %s', (network, expected) => {
  expect(problems(network)).toEqual(expected.map((problem) => `networks[0].${problem}`));
});

test('nodes are checked once a second at most (contract/networks#status)', () => {
  const of = (interval: string) => readConfig(`${sound}health: { intervalSeconds: ${interval} }`, {});
  expect(['1', '1.5', '3600'].map((interval) => of(interval).ok)).toEqual([true, true, true]);
  for (const interval of ['0.99', '0', '-1', '3601']) {
    const loaded = of(interval);
    expect(loaded.ok ? [] : loaded.problems.map(({ path }) => path)).toEqual(['health.intervalSeconds']);
  }
});

test('ids of nodes are unique in the whole file (contract/networks#catalog)', () => {
  const network = (dlt: string) =>
    `{ dlt: ${dlt}, networkId: x, chainId: 1, nodes: [{ nodeId: n, url: "http://127.0.0.1" }] }`;
  const loaded = readConfig(`${sound}networks: [${network('a')}, ${network('b')}]`, {});
  expect(loaded.ok ? [] : loaded.problems).toEqual([
    { path: 'networks[1].nodes[0].nodeId', message: 'there is already a node n' },
  ]);
});

test('no node of the configuration has an id like those of registered nodes (contract/nodes#the-node)', () => {
  const node = 'nodes: [{ nodeId: node_01KAJ0Z6V2M8T4Q9R3WX5Y7ABD, url: "http://127.0.0.1" }]';
  const loaded = readConfig(`${sound}networks: [{ dlt: a, networkId: x, chainId: 1, ${node} }]`, {});
  expect(loaded.ok ? [] : loaded.problems).toEqual([
    { path: 'networks[0].nodes[0].nodeId', message: 'must not have the form of ids of registered nodes' },
  ]);
});

test('domains of providers are host names, localhost or IP addresses, in lower case (contract/networks#providers)', () => {
  const domains = (list: string) =>
    readConfig(`${sound}providers: [{ providerId: p, name: P, domains: [${list}] }]`, {});
  const good = domains('Example.COM, localhost, 10.0.0.1, "::1", "[2001:DB8::1]", a-b.c_d.xn--p1ai, node1');
  expect(good.ok && good.config.providers[0]?.domains).toEqual([
    ...['example.com', 'localhost', '10.0.0.1', '[::1]', '[2001:db8::1]', 'a-b.c_d.xn--p1ai', 'node1'],
  ]);
  for (const bad of [
    '"https://a.example"',
    'a.example/',
    '"a.example:443"',
    '.a.example',
    'a.example.',
    '"*.a.example"',
    '""',
    '1.2.3',
    '256.1.1.1',
    '"[::1]:80"',
    '"a b"',
    'münchen.example',
    '"2001:DB8:0::1"',
  ]) {
    const loaded = domains(bad);
    expect([bad, loaded.ok ? [] : loaded.problems.map(({ path }) => path)]).toEqual([bad, ['providers[0].domains[0]']]);
  }
});

test.each([
  'routing: {}, chainId: 1',
  'chainId: 1, routing: { strategy: ordered, maxLagBlocks: 0, attempts: 1 }',
  'chainId: 1, routing: { hedge: { afterMs: 20 } }',
  'chainId: 1, routing: { hedge: { afterMs: p95, maxPercent: 0.5 } }',
])('how nodes are chosen is set: %s (contract/routing)', (network) => {
  expect(problems(network)).toEqual([]);
});

test.each([
  ['strategy: random', 'routing.strategy'],
  ['maxLagBlocks: -1', 'routing.maxLagBlocks'],
  ['attempts: 0', 'routing.attempts'],
  ['attempts: 1.5', 'routing.attempts'],
  ['hedge: { afterMs: 0 }', 'routing.hedge.afterMs'],
  ['hedge: { afterMs: p49 }', 'routing.hedge.afterMs'],
  ['hedge: { afterMs: p100 }', 'routing.hedge.afterMs'],
  ['hedge: { afterMs: p95, maxPercent: 101 }', 'routing.hedge.maxPercent'],
  ['hedge: {}', 'routing.hedge.afterMs'],
  ['hedge: true', 'routing.hedge'],
  ['retries: 3', 'routing.retries'],
])('and what is no such setting is refused: %s', (routing, path) => {
  expect(problems(`chainId: 1, routing: { ${routing} }`).map((problem) => problem.split(':')[0])).toEqual([
    `networks[0].${path}`,
  ]);
});

test('a node is called over HTTP or WebSocket, and sends notifications over WebSocket (contract/networks#websocket)', () => {
  const of = (node: string) => {
    const network = `{ dlt: a, networkId: b, chainId: 1, nodes: [{ nodeId: n, ${node} }] }`;
    const loaded = readConfig(`${sound}networks: [${network}]`, {});
    return loaded.ok ? [] : loaded.problems.map(({ path, message }) => `${path}: ${message}`);
  };
  for (const node of [
    'url: "ws://n:1/x"',
    'url: "wss://n"',
    'url: "https://n", wsUrl: "wss://n/ws"',
    'url: "wss://n", wsUrl: "ws://m"',
  ])
    expect([node, of(node)]).toEqual([node, []]);
  const at = 'networks[0].nodes[0]';
  expect(of('url: "ftp://n"')).toEqual([`${at}.url: must be an http://, https://, ws:// or wss:// URL`]);
  expect(of('url: "https://n", wsUrl: "https://n"')).toEqual([`${at}.wsUrl: must be a ws:// or wss:// URL`]);
  expect(of('url: "https://n", wsUrl: 7')[0]).toStartWith(`${at}.wsUrl: `);
});
