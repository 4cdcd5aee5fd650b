import { expect, test } from 'bun:test';
import { stringify } from 'yaml';
import { readConfig } from './config-file.ts';

const address = (digit: string) => `0x${digit.repeat(40)}`;
const node = (nodeId: string) => [{ nodeId, url: 'http://127.0.0.1' }];
const networks = [
  { dlt: 'e', networkId: 'l1', chainId: 1, nodes: node('a') },
  { dlt: 'e', networkId: 'l2', chainId: 2, nodes: node('b') },
  {
    ...{ dlt: 'b', networkId: 'main', family: 'bitcoin' },
    ...{ genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f', nodes: node('c') },
  },
];
const bridge = {
  bridgeId: 'main',
  l1: { dlt: 'e', networkId: 'l1' },
  l2: { dlt: 'e', networkId: 'l2' },
  contracts: {
    portal: address('1'),
    l1StandardBridge: address('2'),
    l1CrossDomainMessenger: address('3'),
    disputeGameFactory: address('4'),
  },
};
const pool = { dlt: 'e', networkId: 'l2', poolId: 'p', address: address('5'), form: 'v2' };

function problems(more: object): readonly string[] {
  const sound = { identity: { issuer: 'https://id.example' }, keys: { peppers: ['p'] }, networks };
  const loaded = readConfig(stringify({ ...sound, ...more }), {});
  return loaded.ok ? [] : loaded.problems.map(({ path, message }) => `${path}: ${message}`);
}

test('bridges and pools of networks of the file are accepted, two bridges on one network too', () => {
  const contracts = { ...bridge.contracts, portal: address('6') };
  const tokens = [
    { l1: address('7'), l2: address('8') },
    { l1: address('7'), l2: address('9') },
  ];
  const bridges = [
    { ...bridge, tokens },
    { ...bridge, bridgeId: 'two', contracts, tokens },
  ];
  const swaps = [pool, { ...pool, poolId: 'q', networkId: 'l1' }, { ...pool, poolId: 'r', address: address('6') }];
  expect(problems({ bridges, swaps })).toEqual([]);
});

test('missing networks, networks of another family and equal networks are all reported with their paths', () => {
  const bridges = [
    { ...bridge, l1: { dlt: 'e', networkId: 'l3' }, l2: { dlt: 'x', networkId: 'l2' } },
    { ...bridge, bridgeId: 'two', l2: { dlt: 'b', networkId: 'main' } },
    { ...bridge, bridgeId: 'three', l1: bridge.l2, contracts: { ...bridge.contracts, portal: 'x' } },
  ];
  const swaps = [
    { ...pool, networkId: 'l4' },
    { ...pool, poolId: 'q', dlt: 'b', networkId: 'main' },
  ];
  expect(problems({ bridges, swaps }).toSorted()).toEqual([
    'bridges[0].l1: there is no network e/l3',
    'bridges[0].l2: there is no network x/l2',
    'bridges[1].l2: must be of the family evm: b/main is of the family bitcoin',
    expect.stringMatching(/^bridges\[2\]\.contracts\.portal: /),
    'bridges[2].l2: must be a different network from l1',
    'swaps[0].networkId: there is no network e/l4',
    'swaps[1].networkId: must be of the family evm: b/main is of the family bitcoin',
  ]);
});

test('ids and contracts of bridges and pools are unique, regardless of letter case', () => {
  const tokens = [
    { l1: address('7'), l2: address('a') },
    { l1: address('8'), l2: address('A') },
  ];
  const swaps = [pool, pool, { ...pool, poolId: 'q' }];
  expect(problems({ bridges: [{ ...bridge, tokens }, bridge], swaps }).toSorted()).toEqual([
    `bridges[0].tokens[1].l2: there is already a pair of the token ${address('a')} in bridge main`,
    'bridges[1].bridgeId: there is already a bridge main',
    `bridges[1].contracts.portal: there is already a bridge with the portal ${address('1')} on network e/l1`,
    `swaps[1].address: there is already a pool at ${address('5')} on network e/l2`,
    'swaps[1].poolId: there is already a pool p',
    `swaps[2].address: there is already a pool at ${address('5')} on network e/l2`,
  ]);
});

test.each([
  { bridges: 'none', swaps: 5 },
  { bridges: [null, 7, {}], swaps: [[], { dlt: 1 }] },
  { bridges: [{ ...bridge, l1: null, contracts: [], tokens: {} }], networks: 'none' },
])('what has another form is refused by its schema and ends nothing: %j', (more) => {
  expect(problems(more).length).toBeGreaterThan(0);
});
