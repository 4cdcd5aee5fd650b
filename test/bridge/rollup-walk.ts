/** A random walk over the real local rollup, with viem's op-stack actions: deposits, withdrawals, proofs, finalizations, challenges, blacklists, pauses and reorganizations. */

import type { LocalRollup } from '@flowgate/devkit/rollup/local-rollup';
import type { Chance } from '@flowgate/testing/seeded-chance';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { getWithdrawals } from 'viem/op-stack';
import { rollupClients, rollupControl } from '../../devkit/test/rollup-clients.ts';
import type { SentTransactions } from './rollup-agreement.ts';

export type RollupWalk = {
  /** Takes a step; returns a description, or why it was not possible. */
  readonly step: () => Promise<string>;
  readonly sent: () => SentTransactions;
};

const bridgeAbi = parseAbi([
  'function bridgeETHTo(address to, uint32 minGas, bytes data) payable',
  'function sendMessage(address target, bytes message, uint32 minGas) payable',
  'function depositTransaction(address to, uint256 value, uint64 gas, bool isCreation, bytes data) payable',
  'function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable',
]);
const l2Places = {
  messenger: '0x4200000000000000000000000000000000000007',
  standardBridge: '0x4200000000000000000000000000000000000010',
  messagePasser: '0x4200000000000000000000000000000000000016',
} as const;
const gas = 3_000_000n;

/** Different users send on L1 and on L2: a deposit changes its sender's nonce on L2. */
export function createRollupWalk({ bridge }: LocalRollup, chance: Chance): RollupWalk {
  const control = rollupControl(bridge.controlUrl);
  const [onFirst, onSecond, proving] = [0, 1, 2].map((person) => rollupClients(bridge, person));
  if (onFirst === undefined || onSecond === undefined || proving === undefined) throw new Error('no accounts');
  const { portal, l1StandardBridge, l1CrossDomainMessenger } = bridge.contracts;
  const l1: Hex[] = [];
  const l2: Hex[] = [];
  const games: string[] = [];
  const pick = <T>(all: readonly T[]): T | undefined => all[chance(all.length)];

  async function deposit(): Promise<string> {
    const to = onSecond?.account.address ?? '0x';
    const value = BigInt(1 + chance(1000));
    const call = [
      {
        to: l1StandardBridge,
        data: encodeFunctionData({ abi: bridgeAbi, functionName: 'bridgeETHTo', args: [to, 200_000, '0x'] }),
      },
      {
        to: l1CrossDomainMessenger,
        // The bridge reverts when another account calls it: the message fails on L2.
        data: encodeFunctionData({
          abi: bridgeAbi,
          functionName: 'sendMessage',
          args: [chance(2) === 0 ? to : l2Places.messagePasser, '0x12', 100_000],
        }),
      },
      {
        to: portal,
        data: encodeFunctionData({
          abi: bridgeAbi,
          functionName: 'depositTransaction',
          args: [
            chance(2) === 0 ? to : l2Places.standardBridge,
            value,
            100_000n,
            false,
            chance(2) === 0 ? '0x' : '0x12',
          ],
        }),
      },
    ][chance(3)];
    if (call === undefined || onFirst === undefined) return 'nothing';
    const { walletL1, onL1 } = onFirst;
    const hash = await walletL1.sendTransaction({ ...call, value, gas });
    await onL1.waitForTransactionReceipt({ hash });
    l1.push(hash);
    return `deposit ${hash}`;
  }

  async function withdraw(): Promise<string> {
    if (onSecond === undefined) return 'nothing';
    const { walletL2, onL2, account } = onSecond;
    const args = [account.address, 200_000, '0x'] as const;
    const call = [
      { to: l2Places.standardBridge, data: encodeFunctionData({ abi: bridgeAbi, functionName: 'bridgeETHTo', args }) },
      {
        to: l2Places.messagePasser,
        data: encodeFunctionData({
          abi: bridgeAbi,
          functionName: 'initiateWithdrawal',
          args: [chance(4) === 0 ? l1StandardBridge : account.address, 50_000n, chance(4) === 0 ? '0x12' : '0x'],
        }),
      },
    ][chance(2)];
    if (call === undefined) return 'nothing';
    const hash = await walletL2.sendTransaction({ ...call, value: BigInt(1 + chance(100)), gas });
    await onL2.waitForTransactionReceipt({ hash });
    l2.push(hash);
    return `withdrawal ${hash}`;
  }

  async function prove(): Promise<string> {
    const hash = pick(l2.slice(-5));
    if (hash === undefined || proving === undefined) return 'nothing to prove';
    const { onL1, onL2, walletL1, rollup } = chance(3) === 0 && onFirst !== undefined ? onFirst : proving;
    const receipt = await onL2.getTransactionReceipt({ hash });
    const game = await onL1.getGame({ l2BlockNumber: receipt.blockNumber, targetChain: rollup });
    const [withdrawal] = getWithdrawals(receipt);
    if (withdrawal === undefined) return 'nothing to prove';
    const request = await onL2.buildProveWithdrawal({ game, withdrawal });
    const sent = await walletL1.proveWithdrawal({ ...request, targetChain: rollup, gas });
    const { status } = await onL1.waitForTransactionReceipt({ hash: sent });
    return `proof of ${withdrawal.withdrawalHash}: ${status}`;
  }

  async function finalize(): Promise<string> {
    const hash = pick(l2.slice(-5));
    if (hash === undefined || proving === undefined) return 'nothing to finalize';
    const { onL1, onL2, walletL1, rollup } = proving;
    const [withdrawal] = getWithdrawals(await onL2.getTransactionReceipt({ hash }));
    if (withdrawal === undefined) return 'nothing to finalize';
    const sent = await walletL1.finalizeWithdrawal({ targetChain: rollup, withdrawal, gas });
    const { status } = await onL1.waitForTransactionReceipt({ hash: sent });
    return `end of ${withdrawal.withdrawalHash}: ${status}`;
  }

  async function propose(): Promise<string> {
    const { body } = await control('/propose');
    games.push(String(body['game']));
    return `root ${body['game']}`;
  }

  const onGame = async (path: string) => {
    const game = pick(games.slice(-3));
    if (game === undefined) return `${path}: no game`;
    return `${path}: ${(await control(path, { game })).status}`;
  };

  async function reorganize(): Promise<string> {
    const body = { chain: chance(2) === 0 ? 'l1' : 'l2', blocks: 1 + chance(6), keep: chance(2) === 0 };
    return `reorganized ${JSON.stringify(body)}: ${(await control('/reorg', body)).status}`;
  }

  const actions: readonly (readonly [number, () => Promise<string>])[] = [
    [5, deposit],
    [5, withdraw],
    [5, propose],
    [7, prove],
    [6, finalize],
    [5, async () => `advanced ${(await control('/advance', { seconds: 4 + chance(18) })).status}`],
    [5, () => onGame('/resolve')],
    [1, () => onGame('/challenge')],
    [1, () => onGame('/blacklist')],
    [1, async () => `paused ${(await control('/portal/pause')).status}`],
    [2, async () => `unpaused ${(await control('/portal/unpause')).status}`],
    [2, reorganize],
  ];
  const all = actions.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));

  return {
    async step() {
      const action = pick(all) ?? deposit;
      // Many steps are not possible in their turn: too early, paused, lost with a block.
      return await action().catch((error: unknown) => `not possible: ${String(error).split('\n')[0]}`);
    },
    sent: () => ({ l1, l2 }),
  };
}
