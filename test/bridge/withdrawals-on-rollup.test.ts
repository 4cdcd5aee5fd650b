/** Withdrawals on a rollup with the real contracts: every status, each time compared with viem's op-stack actions where they have one. Over 250 lines: one rollup serves them all. */

import { Database as Sqlite } from 'bun:sqlite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@flowgate/base/clock';
import { createTypeIds } from '@flowgate/base/ids';
import { systemRandomBytes } from '@flowgate/base/random';
import { l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { type LocalRollup, startLocalRollup } from '@flowgate/devkit/rollup/local-rollup';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import type { Database } from '@flowgate/sql/engine/database';
import { openSqliteDatabase } from '@flowgate/sql/engine/sqlite/sqlite-database';
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, type TransactionReceipt } from 'viem';
import { getWithdrawals } from 'viem/op-stack';
import { ChainAway } from '../../apps/gateway/src/bridge/chain/chain-reader.ts';
import { createSqlIndexStore } from '../../apps/gateway/src/bridge/indexing/sql-index-store.ts';
import { factKinds } from '../../apps/gateway/src/bridge/sql-fact-kinds.ts';
import { createSqlWithdrawalStore } from '../../apps/gateway/src/bridge/withdrawals/sql-withdrawal-store.ts';
import { blockersOf, type WithdrawalRecord } from '../../apps/gateway/src/bridge/withdrawals/withdrawal.ts';
import {
  gameReader,
  portalReader,
  withdrawalReader,
} from '../../apps/gateway/src/bridge/withdrawals/withdrawal-readers.ts';
import { withdrawalSettler } from '../../apps/gateway/src/bridge/withdrawals/withdrawal-settler.ts';
import { schema } from '../../apps/gateway/src/storage/storage-schema.ts';
import { bridgeOn, followRollup } from '../../apps/gateway/test/fixtures/followed-rollup.ts';
import { rollupClients, rollupControl } from '../../devkit/test/rollup-clients.ts';

let rollup: LocalRollup;
let database: Database;
let store: ReturnType<typeof createSqlWithdrawalStore>;
let followed: ReturnType<typeof followRollup>;
let control: ReturnType<typeof rollupControl>;
/** Alice withdraws; Bob proves and finalizes for her as well. */
let alice: ReturnType<typeof rollupClients>;
let bob: ReturnType<typeof rollupClients>;
const directory = mkdtempSync(join(tmpdir(), 'flowgate-withdrawals-'));

beforeAll(async () => {
  rollup = await startLocalRollup({ isAutomatic: false });
  control = rollupControl(rollup.bridge.controlUrl);
  [alice, bob] = [rollupClients(rollup.bridge, 0), rollupClients(rollup.bridge, 1)];
  database = await openSqliteDatabase({ schema, file: join(directory, 'flowgate.db'), clock: systemClock });
  store = createSqlWithdrawalStore(database);
  const attempt = await createSqlLeaseStore(database).acquire('bridge', 'test', 600_000);
  if (!attempt.acquired) throw new Error('the lease was taken');
  const place = bridgeOn(rollup.bridge);
  const withoutNodes = (side: typeof place.l1) => ({ ...side, network: Object.create(null) });
  const bridge = { ...place, l1: withoutNodes(place.l1), l2: withoutNodes(place.l2) };
  followed = followRollup({
    ...{ bridge, lease: attempt.lease, urls: { l1: rollup.bridge.l1.url, l2: rollup.bridge.l2.url } },
    index: createSqlIndexStore(database, createTypeIds(systemClock, systemRandomBytes), factKinds),
    readers: { l1: [gameReader(bridge), portalReader(bridge)], l2: [withdrawalReader(bridge)] },
    settlers: [withdrawalSettler(store)],
  });
});
// Also after a test that failed while the portal was paused.
beforeEach(() => control('/portal/unpause'));
afterAll(async () => {
  await database?.close();
  await rollup?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const portalAbi = parseAbi(['function donateETH() payable']);
const factoryAbi = parseAbi([
  'function create(uint32 gameType, bytes32 rootClaim, bytes extraData) payable returns (address)',
  'function initBonds(uint32 gameType) view returns (uint256)',
]);
const passerAbi = parseAbi(['function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable']);
const tuple = '(uint256 nonce, address sender, address target, uint256 value, uint256 gasLimit, bytes data)';
const finalizeAbi = parseAbi([
  `function finalizeWithdrawalTransactionExternalProof(${tuple} withdrawal, address submitter)`,
]);

type Taken = { readonly receipt: TransactionReceipt; readonly hash: Hex };

async function withdraw(target: Hex, value = 1_000n, data: Hex = '0x'): Promise<Taken> {
  const args = [target, 200_000n, data] as const;
  const hash = await alice.walletL2.sendTransaction({
    ...{ to: l2Contracts.messagePasser, value, gas: 500_000n },
    data: encodeFunctionData({ abi: passerAbi, functionName: 'initiateWithdrawal', args }),
  });
  const receipt = await alice.onL2.waitForTransactionReceipt({ hash });
  return { receipt, hash };
}

async function prove({ receipt }: Taken, who = alice): Promise<Hex> {
  const { onL1, onL2, walletL1, rollup: chain } = who;
  const [withdrawal] = getWithdrawals(receipt);
  if (withdrawal === undefined) throw new Error('no withdrawal');
  // `waitToProve` accepts any game that covers the block, even a lost one.
  const l2BlockNumber = receipt.blockNumber;
  const game = await onL1.getGame({ l2BlockNumber, targetChain: chain, strategy: 'latest' });
  const request = await onL2.buildProveWithdrawal({ game, withdrawal });
  const hash = await walletL1.proveWithdrawal({ ...request, targetChain: chain, gas: 1_000_000n });
  expect((await onL1.waitForTransactionReceipt({ hash })).status).toBe('success');
  return hash;
}

async function finalize({ receipt }: Taken, submitter: Hex): Promise<Hex> {
  const [withdrawal] = getWithdrawals(receipt);
  if (withdrawal === undefined) throw new Error('no withdrawal');
  const hash = await bob.walletL1.sendTransaction({
    ...{ to: rollup.bridge.contracts.portal, gas: 1_000_000n },
    data: encodeFunctionData({
      ...{ abi: finalizeAbi, functionName: 'finalizeWithdrawalTransactionExternalProof' },
      args: [withdrawal, submitter],
    }),
  });
  expect((await bob.onL1.waitForTransactionReceipt({ hash })).status).toBe('success');
  return hash;
}

async function recordOf({ hash }: Taken): Promise<WithdrawalRecord> {
  const senders = [{ address: alice.account.address.toLowerCase(), partition: 'main' }];
  const { records } = await store.list({ senders, receivers: [], page: { limit: 100 } });
  const record = records.find(({ transactionHash }) => transactionHash === hash);
  if (record === undefined) throw new Error('not stored');
  return record;
}

const words: Readonly<Record<string, readonly string[]>> = {
  'waiting-to-prove': ['awaiting_state_root'],
  'ready-to-prove': ['ready_to_prove'],
  'waiting-to-finalize': ['in_dispute_window', 'challenged'],
  'ready-to-finalize': ['ready_to_finalise'],
  finalized: ['finalised', 'failed'],
};

/** Reads both chains, and compares the status with viem's. `silent`: where viem considers less than the portal does. */
async function see(taken: Taken, status: string, { silent = false } = {}): Promise<WithdrawalRecord> {
  await followed.look();
  const record = await recordOf(taken);
  expect(record.status).toBe(status as typeof record.status);
  const word = await alice.onL1
    .getWithdrawalStatus({ receipt: taken.receipt, targetChain: alice.rollup })
    .catch(() => undefined);
  if (word !== undefined && !silent)
    expect([word, words[word]]).toEqual([word, expect.arrayContaining([record.status])]);
  return record;
}

const propose = async () => String((await control('/propose')).body['game']);
const advance = (seconds: number) => control('/advance', { seconds });
const chainTime = async () => Number((await alice.onL1.getBlock()).timestamp) * 1_000;

async function donate(): Promise<void> {
  const data = encodeFunctionData({ abi: portalAbi, functionName: 'donateETH' });
  const hash = await bob.walletL1.sendTransaction({ to: rollup.bridge.contracts.portal, data, value: 10n ** 18n });
  await bob.onL1.waitForTransactionReceipt({ hash });
}

test('a withdrawal goes from L2 to its finalization, with its blockers and the end of its window', async () => {
  await donate();
  const taken = await withdraw(alice.account.address);
  await followed.read('l2');
  expect(await recordOf(taken)).toMatchObject({ status: 'initiated', kind: 'native', amount: '1000' });
  await see(taken, 'awaiting_state_root');
  const game = await propose();
  await see(taken, 'ready_to_prove');
  const proveTransaction = await prove(taken);
  const proven = await see(taken, 'in_dispute_window');
  expect(proven).toMatchObject({ proveTransaction, proofSubmitter: alice.account.address.toLowerCase() });
  const block = await alice.onL1.getTransactionReceipt({ hash: proveTransaction });
  const provenAt = Number((await alice.onL1.getBlock({ blockNumber: block.blockNumber })).timestamp);
  expect(proven.windowEndsAtMs).toBe((provenAt + 21) * 1_000);

  await control('/portal/pause');
  await see(taken, 'in_dispute_window');
  const [paused] = await store.portals(['main']);
  expect(blockersOf({ status: 'in_dispute_window' }, paused?.isPaused ?? false)).toEqual([
    'dispute_window_open',
    'paused',
  ]);
  await control('/portal/unpause');

  await advance(30);
  // Matured, and the game is not resolved.
  await see(taken, 'in_dispute_window');
  await control('/resolve', { game });
  const gap = await see(taken, 'in_dispute_window');
  expect((gap.windowEndsAtMs ?? 0) - (await chainTime())).toBeLessThanOrEqual(7_000);
  await advance(7);
  const ready = await see(taken, 'ready_to_finalise');
  expect(ready.windowEndsAtMs).toBeUndefined();
  const finalizeTransaction = await finalize(taken, alice.account.address);
  expect(await see(taken, 'finalised')).toMatchObject({ finalizeTransaction, proveTransaction });
  expect((await store.portals(['main']))[0]?.isPaused).toBe(false);
});

test('a disputed root is lost: its withdrawals are proven again, against a root that is not blacklisted', async () => {
  const taken = await withdraw(alice.account.address);
  const lost = await propose();
  await prove(taken);
  await see(taken, 'in_dispute_window');
  await control('/challenge', { game: lost });
  await see(taken, 'challenged');
  await advance(30);
  await see(taken, 'challenged');
  await control('/resolve', { game: lost });
  const back = await see(taken, 'awaiting_state_root');
  expect(back.proveTransaction).toBeUndefined();
  const second = await propose();
  await see(taken, 'ready_to_prove');
  await prove(taken);
  await see(taken, 'in_dispute_window');
  await control('/blacklist', { game: second });
  await see(taken, 'awaiting_state_root');
  const third = await propose();
  const proof = await prove(taken);
  expect((await see(taken, 'in_dispute_window')).proveTransaction).toBe(proof);
  await advance(30);
  await control('/resolve', { game: third });
  await advance(7);
  await see(taken, 'ready_to_finalise');
  await finalize(taken, alice.account.address);
  await see(taken, 'finalised');
});

test("the own proof counts until another one is ready; the portal's call may fail, and then the withdrawal is spent", async () => {
  // The factory accepts no ether.
  const taken = await withdraw(`0x${rollup.bridge.contracts.disputeGameFactory.slice(2)}`);
  const disputed = await propose();
  await prove(taken, alice);
  await control('/challenge', { game: disputed });
  await see(taken, 'challenged');
  const good = await propose();
  await prove(taken, bob);
  const proofSubmitter = bob.account.address.toLowerCase();
  expect((await see(taken, 'challenged')).proofSubmitter).toBe(alice.account.address.toLowerCase());
  await advance(30);
  await control('/resolve', { game: good });
  await advance(7);
  expect(await see(taken, 'ready_to_finalise')).toMatchObject({ proofSubmitter });
  // Later, against a game that runs: viem considers only this proof.
  await propose();
  await prove(taken, alice);
  expect(await see(taken, 'ready_to_finalise', { silent: true })).toMatchObject({ proofSubmitter });
  await finalize(taken, bob.account.address);
  expect(await see(taken, 'failed')).toMatchObject({ proofSubmitter });
});

test('a root about a block that L2 does not have yet makes no withdrawal ready to prove; the right root does', async () => {
  const taken = await withdraw(alice.account.address);
  await see(taken, 'awaiting_state_root');
  const factory = { address: rollup.bridge.contracts.disputeGameFactory, abi: factoryAbi } as const;
  const value = await bob.onL1.readContract({ ...factory, functionName: 'initBonds', args: [0] });
  const extraData = encodeAbiParameters([{ type: 'uint256' }], [(await bob.onL2.getBlockNumber()) + 1_000_000n]);
  const hash = await bob.walletL1.writeContract({
    ...{ ...factory, functionName: 'create', args: [0, `0x${'77'.repeat(32)}`, extraData], value, gas: 1_000_000n },
  });
  expect((await bob.onL1.waitForTransactionReceipt({ hash })).status).toBe('success');
  // viem counts every game about a later block.
  await see(taken, 'awaiting_state_root', { silent: true });
  await propose();
  await see(taken, 'ready_to_prove');
  await control('/reorg', { chain: 'l1', from: Number((await bob.onL1.getTransactionReceipt({ hash })).blockNumber) });
  await see(taken, 'awaiting_state_root');
});

test('a reorganization of either chain reverts what was read', async () => {
  const taken = await withdraw(alice.account.address);
  await propose();
  const proof = await prove(taken);
  await see(taken, 'in_dispute_window');
  const { blockNumber } = await alice.onL1.getTransactionReceipt({ hash: proof });
  await control('/reorg', { chain: 'l1', from: Number(blockNumber) });
  await see(taken, 'ready_to_prove');

  const gone = await withdraw(alice.account.address, 2_000n);
  await followed.look();
  const { withdrawalId } = await recordOf(gone);
  await control('/reorg', { chain: 'l2', from: Number(gone.receipt.blockNumber) });
  await followed.look();
  expect(await store.find(withdrawalId)).toMatchObject({ status: 'initiated' });
  // L2 away: changes on L1 are seen, and lost withdrawals stay undecided.
  await prove(taken);
  await advance(20);
  const { ask } = followed.chains.l2;
  Object.assign(followed.chains.l2, { ask: () => Promise.reject(new ChainAway('L2 is away')) });
  await followed.look('l1');
  expect((await recordOf(taken)).status).toBe('in_dispute_window');
  expect(await store.find(withdrawalId)).toMatchObject({ status: 'initiated' });
  Object.assign(followed.chains.l2, { ask });
  // Another transaction uses its nonce.
  await withdraw(alice.account.address, 3_000n);
  await advance(20);
  await followed.look();
  expect(await store.find(withdrawalId)).toMatchObject({ status: 'failed' });
  const open = new Sqlite(join(directory, 'flowgate.db'), { readonly: true });
  const due = open.query('SELECT COUNT(*) AS due FROM bridge_withdrawals WHERE due_at IS NOT NULL AND lost_at IS NULL');
  expect(due.get()).toEqual({ due: 0 });
  open.close();
});
