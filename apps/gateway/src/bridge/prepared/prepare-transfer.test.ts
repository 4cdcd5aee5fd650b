import { expect, test } from 'bun:test';
import { callerNamed, noPolicies } from '../../../test/fixtures/no-policies.ts';
import type { Network } from '../../upstream/networks/network.ts';
import type { Bridge, BridgeSide, TokenPair } from '../bridges/bridge.ts';
import type { BridgeWallet } from '../bridges/bridge-wallet.ts';
import { prepareTransfer, type TransferDeps } from './prepare-transfer.ts';
import { pairNamed } from './token-of-bridge.ts';

const address = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;

/** A network on which no node answers. */
function side(networkId: string, chainId: number): BridgeSide {
  const away = { ok: false, failure: 'unreachable', maybeDelivered: false } as const;
  const pool = { send: async () => away, sendBatch: async () => away };
  const network = { dlt: 'ethereum', networkId, nodes: [], pool } as unknown as Network;
  return { dlt: 'ethereum', networkId, chainId, network };
}

const bridge: Bridge = {
  ...{ bridgeId: 'main', name: 'Main', l1: side('l1', 1), l2: side('l2', 2), confirmations: 1 },
  contracts: {
    portal: address('a'),
    l1StandardBridge: address('b'),
    l1CrossDomainMessenger: address('c'),
    disputeGameFactory: address('d'),
  },
  startBlocks: { l1: 0, l2: 0 },
  stalledAfterMs: 1,
  tokens: [{ l1: address('1'), l2: address('2') }],
};

function depsWith(wallets: readonly BridgeWallet[], more: Partial<TransferDeps> = {}): TransferDeps {
  return {
    bridges: [bridge],
    firewall: noPolicies,
    walletsOf: async () => wallets,
    tokenFacts: async () => undefined,
    tokens: { pairOfL1: async () => undefined, pairOfL2: async () => undefined },
    ...more,
  };
}

const wallet = address('9');
const account: BridgeWallet = { address: wallet, kind: 'account', chainId: 7 };
const contract = (chainId: number): BridgeWallet => ({ address: wallet, kind: 'contract', chainId });
const ether = { bridgeId: 'main', wallet, token: 'native', amount: '1' };

async function said(wallets: readonly BridgeWallet[], source: 'l1' | 'l2', body: object = ether): Promise<string> {
  const prepared = await prepareTransfer(depsWith(wallets), callerNamed('alice'), source, body);
  return prepared.ok ? 'prepared' : `${prepared.reason}: ${prepared.detail ?? ''}`;
}

test('a contract wallet sends on its own chain only, and must name the receiver on the other (contract/transfers#deposits-and-withdrawals)', async () => {
  const away = (networkId: string) => `bad-gateway: No node of the network ethereum/${networkId} gave a usable answer.`;
  expect(await said([account], 'l1')).toBe(away('l1'));
  expect(await said([account], 'l2')).toBe(away('l2'));
  const elsewhere = 'bad-request: wallet is a contract wallet of another chain';
  expect(await said([contract(1)], 'l2', { ...ether, to: address('8') })).toBe(elsewhere);
  expect(await said([contract(2)], 'l1', { ...ether, to: address('8') })).toBe(elsewhere);
  expect(await said([contract(2)], 'l2')).toStartWith('bad-request: to is required for a contract wallet');
  expect(await said([contract(2)], 'l2', { ...ether, to: address('8') })).toBe(away('l2'));
  expect(await said([contract(1)], 'l1', { ...ether, to: wallet })).toBe(away('l1'));
  expect(await said([], 'l1')).toStartWith('not-found:');
});

test('every contract of the bridge, on either side, and every predeploy of the rollup is refused as receiver (contract/transfers#deposits-and-withdrawals)', async () => {
  const lost = 'bad-request: to is a contract of the bridge or the token: what is sent there is lost';
  const predeploys = ['0006', '0007', '0010', '0016', '07ff'].map((last) => `0x4200${'0'.repeat(32)}${last}`);
  for (const source of ['l1', 'l2'] as const) {
    for (const to of [...Object.values(bridge.contracts), ...predeploys])
      expect([source, to, await said([account], source, { ...ether, to })]).toEqual([source, to, lost]);
    for (const to of [address('1'), address('2')])
      expect(await said([account], source, { ...ether, token: address(source === 'l1' ? '1' : '2'), to })).toBe(lost);
    const other = `0x4200${'0'.repeat(32)}0800`;
    expect(await said([account], source, { ...ether, to: other })).toStartWith('bad-gateway');
  }
});

test('a configured pair precedes a learned one; a token that names another L2 token as its L1 token hides no pair (contract/transfers#deposits-and-withdrawals)', async () => {
  const asked: string[] = [];
  const learnt: readonly TokenPair[] = [
    { l1: address('1'), l2: address('5') },
    { l1: address('6'), l2: address('1') },
    { l1: address('3'), l2: address('4') },
    { l1: address('5'), l2: address('8') },
  ];
  const tokens = {
    pairOfL1: async (bridgeId: string, l1: string) => {
      asked.push(bridgeId);
      return learnt.find((pair) => pair.l1 === l1);
    },
    pairOfL2: async (_: string, l2: string) => learnt.find((pair) => pair.l2 === l2),
  };
  const pairOf = async (source: 'l1' | 'l2', digit: string) =>
    (await pairNamed(bridge, tokens, source, address(digit)))?.pair;
  expect(await pairOf('l1', '1')).toEqual({ l1: address('1'), l2: address('2') });
  expect(await pairOf('l2', '1')).toEqual({ l1: address('6'), l2: address('1') });
  expect(await pairOf('l1', '5')).toEqual({ l1: address('1'), l2: address('5') });
  expect(await pairOf('l2', '3')).toEqual({ l1: address('3'), l2: address('4') });
  expect(await pairOf('l1', '7')).toBeUndefined();
  expect(new Set(asked)).toEqual(new Set(['main']));
});
