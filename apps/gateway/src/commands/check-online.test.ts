/** `check-config --online` against a rollup with the real contracts: a right configuration passes, and each wrong address is reported with what was found. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalRollup, startLocalRollup } from '@flowgate/devkit/rollup/local-rollup';
import { freePort } from '@flowgate/testing/free-port';
import { stringify } from 'yaml';
import { rollupBridge, rollupNetworks } from '../../test/fixtures/rollup-gateway.ts';
import { runFlowgate } from '../../test/fixtures/run-flowgate.ts';
import { readConfig } from '../config/config-file.ts';
import { checkOnline } from './check-online.ts';

let rollup: LocalRollup;
let directory: string;
beforeAll(async () => {
  rollup = await startLocalRollup({ isAutomatic: false });
  directory = await mkdtemp(join(tmpdir(), 'flowgate-'));
});
afterAll(async () => {
  await rollup?.stop();
  await rm(directory, { recursive: true, force: true });
});

const absentContract = `0x${'11'.repeat(20)}`;
const secret = 'p'.repeat(40);
type Contracts = Readonly<Record<string, string>>;
type Change = {
  readonly contracts?: Contracts;
  readonly bridge?: object;
  readonly swaps?: readonly object[];
  readonly networks?: readonly object[];
};

function configText({ contracts = {}, bridge = {}, swaps, networks }: Change = {}): string {
  const right = rollupBridge(rollup);
  const { l1Token, l2Token, pool } = rollup.bridge.contracts;
  return stringify({
    identity: { issuer: 'http://127.0.0.1:9000' },
    keys: { peppers: [secret] },
    networks: networks ?? rollupNetworks(rollup),
    bridges: [
      {
        ...right,
        tokens: [{ l1: l1Token, l2: l2Token }],
        ...bridge,
        contracts: { ...(right['contracts'] as Contracts), ...contracts },
      },
    ],
    swaps: swaps ?? [{ dlt: 'ethereum', networkId: 'l2', poolId: 'p', address: pool, form: 'v2' }],
  });
}

async function found(change?: Change): Promise<readonly string[]> {
  const loaded = readConfig(configText(change), {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return (await checkOnline(loaded.config)).map(({ path, message }) => `${path}: ${message}`);
}

test('a right configuration has no problem (contract/running#configuration)', async () => {
  expect(await found()).toEqual([]);
});

test('each wrong address is reported, with what was found there', async () => {
  const { l1Token, portal, l1StandardBridge, l1CrossDomainMessenger, disputeGameFactory } = rollup.bridge.contracts;
  const absent = 'there is no contract at this address on ethereum/l1';
  expect(await found({ contracts: { portal: absentContract } })).toEqual([
    `bridges[0].contracts.portal: ${absent}`,
    `bridges[0].contracts.l1CrossDomainMessenger: belongs to ${portal}, which is not contracts.portal`,
  ]);
  expect(await found({ contracts: { portal: l1Token } })).toEqual([
    'bridges[0].contracts.portal: is no OptimismPortal: it answers no version()',
    `bridges[0].contracts.l1CrossDomainMessenger: belongs to ${portal}, which is not contracts.portal`,
  ]);
  // They have versions, and are no portals.
  expect(await found({ contracts: { portal: l1StandardBridge } })).toEqual([
    expect.stringMatching(/^bridges\[0\]\.contracts\.portal: (must be of version 3 or later|is no OptimismPortal)/),
    `bridges[0].contracts.l1CrossDomainMessenger: belongs to ${portal}, which is not contracts.portal`,
  ]);
  expect(await found({ contracts: { disputeGameFactory: l1CrossDomainMessenger } })).toEqual([
    `bridges[0].contracts.disputeGameFactory: is not that of the portal, which names ${disputeGameFactory}`,
    'bridges[0].contracts.disputeGameFactory: is no DisputeGameFactory: it answers no gameCount()',
  ]);
  expect(await found({ contracts: { disputeGameFactory: absentContract } })).toEqual([
    `bridges[0].contracts.disputeGameFactory: ${absent}`,
  ]);
  expect(await found({ contracts: { l1StandardBridge: l1Token } })).toEqual([
    'bridges[0].contracts.l1StandardBridge: is no L1StandardBridge: it answers no messenger()',
    `bridges[0].l2: is not the rollup of this bridge: its standard bridge belongs to ${l1StandardBridge} on L1, which is not contracts.l1StandardBridge`,
  ]);
  const swapped = { l1StandardBridge: l1CrossDomainMessenger, l1CrossDomainMessenger: l1StandardBridge };
  expect((await found({ contracts: swapped })).map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
    'bridges[0].contracts.l1CrossDomainMessenger',
    'bridges[0].contracts.l1StandardBridge',
    'bridges[0].l2',
    'bridges[0].l2',
  ]);
  expect(await found({ contracts: { l1CrossDomainMessenger: absentContract } })).toEqual([
    `bridges[0].contracts.l1CrossDomainMessenger: ${absent}`,
    `bridges[0].contracts.l1StandardBridge: belongs to ${l1CrossDomainMessenger}, which is not contracts.l1CrossDomainMessenger`,
    `bridges[0].l2: is not the rollup of this bridge: its messenger belongs to ${l1CrossDomainMessenger} on L1, which is not contracts.l1CrossDomainMessenger`,
  ]);
});

test('swapped networks, wrong token pairs, future start blocks and wrong pools are reported', async () => {
  const { l1, l2 } = rollupBridge(rollup);
  const turned = await found({ bridge: { l1: l2, l2: l1, tokens: [] } });
  expect(turned).toHaveLength(5);
  expect(turned.at(-1)).toStartWith('bridges[0].l2: is no OP Stack chain: there is no L2CrossDomainMessenger (0x4200');
  const { l1Token, l2Token, pool } = rollup.bridge.contracts;
  const tokens = [
    { l1: l1Token, l2: l2Token },
    { l1: absentContract, l2: absentContract },
    { l1: l1Token, l2: pool },
    { l1: rollup.bridge.contracts.portal, l2: '0x4200000000000000000000000000000000000006' },
  ];
  const startBlocks = { l1: 1_000_000, l2: 2_000_000 };
  const place = { dlt: 'ethereum', networkId: 'l2' };
  const swaps = [
    { ...place, poolId: 'a', address: l2Token, form: 'v2' },
    { ...place, poolId: 'b', address: absentContract, form: 'v3' },
    { ...place, poolId: 'c', address: pool, form: 'v3', startBlock: 3_000_000 },
  ];
  const lines = await found({ bridge: { tokens, startBlocks }, swaps });
  const above = expect.stringMatching(/: must not be above the newest block, which is \d+$/);
  expect(lines.filter((line) => line.includes('startBlock'))).toEqual([above, above, above]);
  expect(lines.filter((line) => !line.includes('startBlock'))).toEqual([
    'bridges[0].tokens[1].l1: there is no contract at this address on ethereum/l1',
    'bridges[0].tokens[1].l2: there is no contract at this address on ethereum/l2',
    'bridges[0].tokens[2]: are no pair: the token on L2 names no token on L1, and that on L1 does not name it either',
    'bridges[0].tokens[3]: are no pair: the token on L2 names no token on L1, and that on L1 does not name it either',
    'swaps[0].address: is no pool: it answers no token0() and token1()',
    'swaps[1].address: there is no contract at this address on ethereum/l2',
    ...lines.filter((line) => line.startsWith('swaps[2].form')),
  ]);
});

test('a network without answers, or on another chain, is reported once, and problems of the other network are reported, too', async () => {
  const [onL1, onL2] = rollupNetworks(rollup) as readonly Record<string, unknown>[];
  const url = `http://127.0.0.1:${await freePort()}/top-secret`;
  const dead = { ...onL2, nodes: [{ nodeId: 'l2-1', url }] };
  const contracts = { disputeGameFactory: absentContract };
  const lines = await found({ contracts, networks: [onL1 ?? {}, dead] });
  expect(lines).toEqual([
    'networks[1]: no node serves chain 901: l2-1 cannot be reached',
    'bridges[0].contracts.disputeGameFactory: there is no contract at this address on ethereum/l1',
  ]);
  expect(await found({ networks: [{ ...onL1, chainId: 12_345 }, onL2 ?? {}] })).toEqual([
    'networks[0]: no node serves chain 12345: l1-1 is of another chain',
  ]);
});

test('the command exits with 0 or 2 like check-config, and calls no node without --online', async () => {
  const write = async (name: string, change?: Change) => {
    const file = join(directory, name);
    await Bun.write(file, configText(change));
    return file;
  };
  const wrong = await write('wrong.yaml', { contracts: { portal: absentContract } });
  const [right, offline, online, json] = await Promise.all([
    runFlowgate(['check-config', '--online', await write('right.yaml')]),
    runFlowgate(['check-config', wrong]),
    runFlowgate(['check-config', wrong, '--online']),
    runFlowgate(['check-config', '--online', '--json', wrong]),
  ]);
  expect([right.code, right.stdout]).toEqual([0, expect.stringMatching(/right\.yaml: valid\n$/)]);
  expect(offline.code).toBe(0);
  expect([online.code, online.stderr]).toEqual([
    2,
    expect.stringContaining('has 2 problems:\n  bridges[0].contracts.portal: '),
  ]);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([2, { valid: false, problems: [{}, {}] }]);
});
