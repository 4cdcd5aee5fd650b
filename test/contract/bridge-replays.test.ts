/**
 * Messages that fail on the destination chain, in both directions, and their replay. With a rollup and the real
 * contracts (contract/transfers#replays).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { devErc20Abi } from '@flowgate/devkit/contracts/dev-erc20-code';
import { until } from '@flowgate/testing/until';
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  type PreparedTransaction,
  type RollupGateway,
  rollupAccount,
  sendPrepared,
  startRollupGateway,
} from '../../apps/gateway/test/fixtures/rollup-gateway.ts';
import { type Shown, withdrawalsOn } from '../../apps/gateway/test/fixtures/rollup-withdrawals.ts';
import { rollupControl } from '../../devkit/test/rollup-clients.ts';

let running: RollupGateway;
let control: ReturnType<typeof rollupControl>;
/** Accounts of the rollup. A deposit increments its sender's nonce on L2, so each account sends on one chain. */
const [onL1, onL2] = [0, 1] as const;
beforeAll(async () => {
  running = await startRollupGateway();
  control = rollupControl(running.rollup.bridge.controlUrl);
  for (const nth of [onL1, onL2]) await running.link('alice', rollupAccount(running.rollup, nth));
});
afterAll(() => running?.stop());

const { become, prepared, send, withdrawn } = withdrawalsOn(() => running);
const addressOf = (nth: number) => rollupAccount(running.rollup, nth).address;
const messengerAbi = parseAbi(['function sendMessage(address target, bytes message, uint32 minGas) payable']);
const wrappedEther: Address = '0x4200000000000000000000000000000000000006';
const receiver: Address = `0x${'5e'.repeat(20)}`;

/** A message that takes tokens from the messenger, which has none. It fails until the messenger receives some. */
const taking = (token: Address) => {
  const message = encodeFunctionData({ abi: devErc20Abi, functionName: 'transfer', args: [receiver, 5n] });
  return encodeFunctionData({ abi: messengerAbi, functionName: 'sendMessage', args: [token, message, 200_000] });
};
const giving = (to: Address) => encodeFunctionData({ abi: devErc20Abi, functionName: 'transfer', args: [to, 5n] });

type Kind = 'deposits' | 'withdrawals';
const replay = (kind: Kind, id: string, body?: object, user = 'alice') =>
  running.as(user, 'POST', `/users/me/${kind}/${id}/replay`, body);

async function refused(kind: Kind, id: string, status: number, error: string, body?: object, user?: string) {
  const path = `/users/me/${kind}/${id}/replay`;
  return expectStandardError(await replay(kind, id, body, user), { status, error, path });
}

async function replayed(kind: Kind, id: string, nth: number): Promise<void> {
  const answer = await replay(kind, id, { wallet: addressOf(nth) });
  expect(answer.status).toBe(200);
  const { transactions } = (await answer.json()) as { transactions: readonly PreparedTransaction[] };
  const [receipt] = await sendPrepared(running.rollup, rollupAccount(running.rollup, nth), transactions);
  expect(receipt?.status).toBe('success');
}

async function denied(kind: Kind, id: string, contract: string): Promise<void> {
  const resource = { kind: 'contract', id: contract.toLowerCase() };
  const policy = { name: 'no replays', effect: 'deny', subjects: ['*'], resource };
  const { policyId } = await jsonBody(await running.as('alice', 'POST', '/users/me/policies', policy));
  await refused(kind, id, 403, 'Forbidden');
  expect((await running.as('alice', 'DELETE', `/users/me/policies/${policyId}`)).status).toBe(204);
}

test('a deposit whose message failed reports the failure; the prepared transaction relays it, and the deposit completes', async () => {
  const { l1CrossDomainMessenger } = running.rollup.bridge.contracts;
  const sent = await send(onL1, 'l1', l1CrossDomainMessenger as Hex, taking(wrappedEther));
  let failed: Readonly<Record<string, unknown>> = {};
  await until('the message has failed', async () => {
    const { data } = await jsonBody(
      await running.as('alice', 'GET', `/users/me/deposits?transactionHash=${sent.transactionHash}`),
    );
    [failed = {}] = data as readonly Readonly<Record<string, unknown>>[];
    return failed['status'] === 'failed';
  });
  expect(failed).toMatchObject({
    failureReason: 'relay_failed',
    messageHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  const id = String(failed['depositId']);
  await refused('deposits', id, 404, 'Not found', {}, 'bob');
  await refused('deposits', id, 404, 'Not found', { wallet: addressOf(3) });
  await refused('deposits', id, 400, 'Bad request', { wallet: 'x' });
  await denied('deposits', id, `ethereum/l2/${l2Contracts.messenger}`);
  await send(onL2, 'l2', wrappedEther as Hex, '0xd0e30db0', 5n);
  await send(onL2, 'l2', wrappedEther as Hex, giving(l2Contracts.messenger));
  await replayed('deposits', id, onL2);
  await until('it is completed', async () => {
    const now = await jsonBody(await running.as('alice', 'GET', `/deposits/${id}`));
    return now['status'] === 'completed';
  });
  expect(await refused('deposits', id, 409, 'Conflict')).toBe('The message has been relayed.');
});

test('a withdrawal whose message failed is failed with that reason; after the replay it is finalized', async () => {
  const { l1Token, l1CrossDomainMessenger } = running.rollup.bridge.contracts;
  const sent = await send(onL2, 'l2', l2Contracts.messenger, taking(l1Token as Address));
  const { withdrawalId: id } = await withdrawn('alice', sent.transactionHash);
  const { game } = (await control('/propose')).body;
  const status = (wanted: string) => (now: Shown) => now.status === wanted;
  await become('alice', id, status('ready_to_prove'));
  expect(await refused('withdrawals', id, 409, 'Conflict')).toContain('has not failed');
  const account = rollupAccount(running.rollup, onL1);
  const wallet = account.address;
  await sendPrepared(running.rollup, account, await prepared('alice', id, 'prove', { wallet }));
  await control('/advance', { seconds: 30 });
  await control('/resolve', { game });
  await control('/advance', { seconds: 10 });
  await become('alice', id, status('ready_to_finalise'));
  await sendPrepared(running.rollup, account, await prepared('alice', id, 'finalize', { wallet }));
  const failed = await become('alice', id, status('failed'));
  expect(failed).toMatchObject({
    ...{ failureReason: 'relay_failed', blockers: [], messageHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    finalizeTransactionHash: expect.any(String),
  });
  await refused('withdrawals', id, 404, 'Not found', {}, 'bob');
  await refused('withdrawals', id, 400, 'Bad request', { wallet: 'x' });
  await denied('withdrawals', id, `ethereum/l1/${l1CrossDomainMessenger}`);
  await send(onL1, 'l1', l1Token as Hex, giving(l1CrossDomainMessenger as Address));
  await replayed('withdrawals', id, onL1);
  expect(await refused('withdrawals', id, 409, 'Conflict')).toBe('The message has been relayed.');
  // The leader checks the withdrawal again as L1's time advances.
  await control('/advance', { seconds: 60 });
  const over = await become('alice', id, status('finalised'));
  expect([over['failureReason'], over['messageHash']]).toEqual([undefined, failed['messageHash']]);
});

test('while the chains are unavailable, a replay is 502', async () => {
  const ids = await Promise.all(
    (['deposits', 'withdrawals'] as const).map(async (kind) => {
      const { data } = await jsonBody(await running.as('alice', 'GET', `/users/me/${kind}`));
      const [first] = data as readonly Readonly<Record<string, unknown>>[];
      return [kind, String(first?.['depositId'] ?? first?.['withdrawalId'])] as const;
    }),
  );
  await running.rollup.kill();
  for (const [kind, id] of ids) {
    let status = 0;
    await until('the chain is away', async () => {
      ({ status } = await replay(kind, id));
      return status === 502;
    });
    expect(status).toBe(502);
  }
});
