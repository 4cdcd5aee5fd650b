/**
 * Only a wallet's own valid proof prevents it from proving again. With a rollup and the real contracts
 * (contract/withdrawals#prove-and-finalize).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { until } from '@flowgate/testing/until';
import { concat, encodeFunctionData, type Hex, keccak256, pad, parseAbi, type TransactionReceipt, toRlp } from 'viem';
import { getWithdrawals } from 'viem/op-stack';
import { proveCall } from '../../apps/gateway/src/bridge/withdrawals/withdrawal-proof.ts';
import {
  type RollupGateway,
  rollupAccount,
  sendPrepared,
  startRollupGateway,
} from '../../apps/gateway/test/fixtures/rollup-gateway.ts';
import { type Shown, withdrawalsOn } from '../../apps/gateway/test/fixtures/rollup-withdrawals.ts';
import { rollupControl } from '../../devkit/test/rollup-clients.ts';

let running: RollupGateway;
let control: ReturnType<typeof rollupControl>;
beforeAll(async () => {
  running = await startRollupGateway();
  control = rollupControl(running.rollup.bridge.controlUrl);
  for (const nth of [alice, aliceToo]) await running.link('alice', rollupAccount(running.rollup, nth));
});
afterAll(() => running?.stop());

const { become, chainOf, conflict, postRoot, prepare, prepared, send, withdrawn } = withdrawalsOn(() => running);
/** Accounts of the rollup. Mallory is no user of the gateway. */
const [alice, mallory, aliceToo] = [0, 2, 3] as const;
const addressOf = (nth: number) => rollupAccount(running.rollup, nth).address;
const status = (wanted: string) => (now: Shown) => now.status === wanted;

const passerAbi = parseAbi(['function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable']);
const countAbi = parseAbi(['function gameCount() view returns (uint256)']);

async function withdraw() {
  const args = [addressOf(alice), 50_000n, '0x'] as const;
  const data = encodeFunctionData({ abi: passerAbi, functionName: 'initiateWithdrawal', args });
  const receipt = await send(alice, 'l2', l2Contracts.messagePasser, data, 7n);
  return { receipt, ...(await withdrawn('alice', receipt.transactionHash)) };
}

/** Proves against a root that was invented for this withdrawal: the root of a storage with a single entry. */
async function proveInvented(receipt: TransactionReceipt, submitter: number): Promise<Hex> {
  const [withdrawal] = getWithdrawals(receipt);
  if (withdrawal === undefined) throw new Error('no withdrawal');
  const key = keccak256(keccak256(concat([withdrawal.withdrawalHash, pad('0x')])));
  const leaf = toRlp([concat(['0x20', key]), '0x01']);
  const [stateRoot, storageRoot, blockHash] = [pad('0x11'), keccak256(leaf), pad('0x22')];
  const game = await postRoot(keccak256(concat([pad('0x'), stateRoot, storageRoot, blockHash])), mallory);
  // A proof has to be younger than its game.
  await control('/advance', { seconds: 2 });
  const { portal, disputeGameFactory: address } = running.rollup.bridge.contracts;
  const count = await chainOf('l1').readContract({ address, abi: countAbi, functionName: 'gameCount' });
  const { nonce, sender, target, value, gasLimit, data } = withdrawal;
  const tuple = { nonce: String(nonce), sender, target, value: String(value), gasLimit: String(gasLimit), data };
  await send(
    submitter,
    'l1',
    portal,
    proveCall(tuple, Number(count) - 1, { stateRoot, storageRoot, blockHash, nodes: [leaf] }),
  );
  return game;
}

async function proveBy(nth: number, withdrawalId: string, body?: object) {
  await until('there is a root to prove against', async () => {
    return (await prepare('alice', withdrawalId, 'prove', body)).status === 200;
  });
  const [receipt] = await sendPrepared(
    running.rollup,
    rollupAccount(running.rollup, nth),
    await prepared('alice', withdrawalId, 'prove', body),
  );
  expect(receipt?.status).toBe('success');
  return receipt;
}

test("another submitter's proof does not prevent a wallet from proving, and the wallet's own proof counts from then on", async () => {
  const { withdrawalId, receipt } = await withdraw();
  await proveInvented(receipt, mallory);
  const seen = await become('alice', withdrawalId, status('in_dispute_window'));
  expect(seen['proofSubmitter']).toBe(addressOf(mallory));
  // There is no other root to prove against.
  expect(await conflict('alice', withdrawalId, 'prove')).toContain('state_root_not_posted');
  await control('/propose');
  const own = await proveBy(alice, withdrawalId);
  const proven = await become(
    'alice',
    withdrawalId,
    ({ proveTransactionHash }) => proveTransactionHash === own?.transactionHash,
  );
  expect([proven.status, proven['proofSubmitter']]).toEqual(['in_dispute_window', addressOf(alice)]);
  expect(await conflict('alice', withdrawalId, 'prove')).toContain('proven already');
  // Each wallet is classified by its own proof.
  await proveBy(aliceToo, withdrawalId, { wallet: addressOf(aliceToo) });
});

test('a proof against a root that L2 contradicts is replaced', async () => {
  const { withdrawalId, receipt } = await withdraw();
  await proveInvented(receipt, alice);
  await become('alice', withdrawalId, status('in_dispute_window'));
  await control('/propose');
  const own = await proveBy(alice, withdrawalId);
  await become('alice', withdrawalId, (now) => now['proveTransactionHash'] === own?.transactionHash);
  expect(await conflict('alice', withdrawalId, 'prove')).toContain('proven already');
});

test('a challenged proof can be replaced only after an undisputed root is posted', async () => {
  const { withdrawalId } = await withdraw();
  const { game } = (await control('/propose')).body;
  await become('alice', withdrawalId, status('ready_to_prove'));
  await proveBy(alice, withdrawalId);
  await control('/challenge', { game });
  await become('alice', withdrawalId, status('challenged'));
  expect(await conflict('alice', withdrawalId, 'prove')).toContain('challenge_open');
  await control('/propose');
  const own = await proveBy(alice, withdrawalId);
  const proven = await become('alice', withdrawalId, status('in_dispute_window'));
  expect(proven['proveTransactionHash']).toBe(own?.transactionHash);
});
