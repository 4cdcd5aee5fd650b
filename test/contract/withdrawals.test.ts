/**
 * Withdrawals over HTTP, with a rollup and the real contracts: what they wait for, and the prepared transactions that
 * prove and finalize them, sent unchanged (contract/withdrawals).
 */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { until } from '@flowgate/testing/until';
import { encodeFunctionData, parseAbi, parseEther } from 'viem';
import type { OpenApiDocument } from '../../apps/gateway/src/edge/openapi/openapi-document.ts';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  type RollupGateway,
  rollupAccount,
  sendPrepared,
  startRollupGateway,
} from '../../apps/gateway/test/fixtures/rollup-gateway.ts';
import { type Shown, withdrawalsOn, withdrawalsPath } from '../../apps/gateway/test/fixtures/rollup-withdrawals.ts';
import { rollupControl } from '../../devkit/test/rollup-clients.ts';

let running: RollupGateway;
let control: ReturnType<typeof rollupControl>;
beforeAll(async () => {
  running = await startRollupGateway();
  control = rollupControl(running.rollup.bridge.controlUrl);
  // Alice has a second wallet, which sends only on L1.
  for (const [user, nth] of [
    ['alice', 0],
    ['alice', 3],
    ['bob', 1],
    ['carol', 2],
  ] as const)
    await running.link(user, rollupAccount(running.rollup, nth));
});
// Also after a test that failed while it was paused.
beforeEach(() => control('/portal/unpause'));
afterAll(() => running?.stop());

const accountOf = (nth: number) => rollupAccount(running.rollup, nth);
const path = withdrawalsPath;
const { become, chainOf, conflict, listed, postRoot, prepare, prepared, send, shown, withdrawn } = withdrawalsOn(
  () => running,
);
/** What the deprecated path answers; it must equal the answer of the documented one. */
async function sameByFormerPath(withdrawalId: string, body?: object): Promise<number> {
  const answerOf = async (step: 'finalize' | 'finalise') => {
    const answer = await prepare('alice', withdrawalId, step, body);
    const { timestamp: _, path: __, ...members } = await jsonBody(answer);
    return { status: answer.status, members };
  };
  const former = await answerOf('finalise');
  expect(former).toEqual(await answerOf('finalize'));
  return former.status;
}
const status = (wanted: string) => (now: Shown) => now.status === wanted;

const passerAbi = parseAbi(['function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable']);
const messengerAbi = parseAbi(['function sendMessage(address target, bytes message, uint32 minGas) payable']);
const portalAbi = parseAbi(['function donateETH() payable']);
/** A wrong root for the newest block of L2. */
const postWrongRoot = () => postRoot(`0x${'66'.repeat(32)}`);

test('prepared transactions prove and finalize a withdrawal; when it is too early or done, the response names the reason (contract/withdrawals#prove-and-finalize)', async () => {
  const { portal } = running.rollup.bridge.contracts;
  await send(1, 'l1', portal, encodeFunctionData({ abi: portalAbi, functionName: 'donateETH' }), parseEther('1'));
  const asked = { bridgeId: 'main', wallet: accountOf(0).address, token: 'native', amount: '5000' };
  const transfer = await jsonBody(await running.as('alice', 'POST', '/withdrawals/transactions', asked));
  const [receipt] = await sendPrepared(running.rollup, accountOf(0), transfer['transactions'] as never);
  const { withdrawalId } = await withdrawn('alice', receipt?.transactionHash ?? '0x');
  const waiting = await become('alice', withdrawalId, status('awaiting_state_root'));
  expect(waiting).toMatchObject({
    ...{ bridgeId: 'main', kind: 'native', amount: '5000', blockers: ['state_root_not_posted', 'not_proven'] },
    ...{ from: accountOf(0).address, to: accountOf(0).address, token: { native: true, symbol: 'ETH', decimals: 18 } },
    ...{ source: { dlt: 'ethereum', networkId: 'l2' }, destination: { dlt: 'ethereum', networkId: 'l1' } },
  });
  expect(await conflict('alice', withdrawalId, 'prove')).toContain('state_root_not_posted');
  expect(await conflict('alice', withdrawalId, 'finalize')).toContain('state_root_not_posted, not_proven');
  expect(await sameByFormerPath(withdrawalId)).toBe(409);

  await postWrongRoot();
  await become('alice', withdrawalId, status('ready_to_prove'));
  expect(await conflict('alice', withdrawalId, 'prove')).toContain('state_root_not_posted');
  const { game } = (await control('/propose')).body;
  await postWrongRoot();
  await until('the right root is seen', async () => (await prepare('alice', withdrawalId, 'prove')).status === 200);
  const proof = await prepared('alice', withdrawalId, 'prove');
  expect(proof).toMatchObject([{ chainId: running.rollup.bridge.l1.chainId, from: accountOf(0).address, value: '0' }]);
  const [proven] = await sendPrepared(running.rollup, accountOf(0), proof);
  expect(proven?.status).toBe('success');
  // Also before the gateway has seen the proof: a second proof would restart the waiting period.
  expect(await conflict('alice', withdrawalId, 'prove')).toContain('proven already');

  const open = await become('alice', withdrawalId, status('in_dispute_window'));
  expect(open).toMatchObject({ blockers: ['dispute_window_open'], proveTransactionHash: proven?.transactionHash });
  const why = await conflict('alice', withdrawalId, 'finalize');
  expect(why).toContain('dispute_window_open');
  expect(why).toContain(String(open['disputeWindowEndsAt']));
  expect(await conflict('alice', withdrawalId, 'prove')).toContain('proven already');

  await control('/advance', { seconds: 30 });
  await control('/resolve', { game });
  await control('/advance', { seconds: 7 });
  const ready = await become('alice', withdrawalId, status('ready_to_finalise'));
  expect([ready['blockers'], ready['disputeWindowEndsAt']]).toEqual([['not_finalised'], undefined]);
  await control('/portal/pause');
  await become('alice', withdrawalId, (now) => String(now['blockers']) === 'not_finalised,paused');
  expect(await conflict('alice', withdrawalId, 'finalize')).toContain('paused');
  await control('/portal/unpause');
  await become('alice', withdrawalId, (now) => String(now['blockers']) === 'not_finalised');

  // By a wallet that did not prove it.
  const other = accountOf(3).address;
  const before = await chainOf('l1').getBalance({ address: accountOf(0).address });
  const end = await prepared('alice', withdrawalId, 'finalize', { wallet: other });
  expect(await sameByFormerPath(withdrawalId, { wallet: other })).toBe(200);
  expect(await sameByFormerPath(withdrawalId, { wallet: accountOf(1).address })).toBe(404);
  const [finalized] = await sendPrepared(running.rollup, accountOf(3), end);
  expect([end[0]?.from, finalized?.status]).toEqual([other, 'success']);
  expect(await chainOf('l1').getBalance({ address: accountOf(0).address })).toBe(before + 5_000n);
  const over = await become('alice', withdrawalId, status('finalised'));
  const hash = finalized?.transactionHash;
  // Under its former name too.
  expect(over).toMatchObject({ blockers: [], finalizeTransactionHash: hash, finaliseTransactionHash: hash });
  for (const step of ['prove', 'finalize'] as const)
    expect(await conflict('alice', withdrawalId, step)).toBe('The withdrawal is finalized already.');
});

test('the former spelling of the path and of the field is documented as deprecated (contract/withdrawals#fields)', async () => {
  const document = (await (await running.gateway.fetch('/openapi.json')).json()) as OpenApiDocument;
  const [route, former] = ['finalize', 'finalise'].map(
    (step) => document.paths[`${path}/{withdrawalId}/${step}`]?.['post'],
  );
  expect([route?.deprecated, former?.deprecated]).toEqual([undefined, true]);
  expect(former?.description).toContain('Deprecated: use `POST /users/me/withdrawals/{withdrawalId}/finalize`');
  const fields = document.components.schemas['Withdrawal']?.properties;
  const names = ['finalizeTransactionHash', 'finaliseTransactionHash'];
  expect(names.map((name) => fields?.[name]?.deprecated)).toEqual([undefined, true]);
});

test('the prover of a message finalizes it; an unlinked wallet, another user’s withdrawal and an unknown one are 404', async () => {
  const to = accountOf(1).address;
  const args = [to, '0x1234', 200_000] as const;
  const data = encodeFunctionData({ abi: messengerAbi, functionName: 'sendMessage', args });
  const { transactionHash } = await send(0, 'l2', l2Contracts.messenger, data);
  const { withdrawalId, kind } = await withdrawn('alice', transactionHash);
  expect(kind).toBe('message');
  // Bob is the recipient.
  expect(await shown('bob', withdrawalId)).toMatchObject({ withdrawalId, to });
  const at = `${path}/${withdrawalId}`;
  await expectStandardError(await running.as('carol', 'GET', at), { status: 404, error: 'Not found', path: at });
  expect(await listed('carol')).toEqual([]);
  for (const step of ['prove', 'finalize'] as const) {
    expect((await prepare('carol', withdrawalId, step)).status).toBe(404);
    expect((await prepare('alice', withdrawalId, step, { wallet: to })).status).toBe(404);
    expect((await prepare('alice', withdrawalId, step, { wallet: 'x' })).status).toBe(400);
    expect((await prepare('alice', 'wdr_none', step, {})).status).toBe(404);
  }
  expect((await running.as('alice', 'GET', `${path}/wdr_none`)).status).toBe(404);

  const { game } = (await control('/propose')).body;
  await become('bob', withdrawalId, status('ready_to_prove'));
  const [proven] = await sendPrepared(running.rollup, accountOf(1), await prepared('bob', withdrawalId, 'prove', {}));
  expect(proven?.status).toBe('success');
  await become('bob', withdrawalId, status('in_dispute_window'));
  await control('/challenge', { game });
  const challenged = await become('alice', withdrawalId, status('challenged'));
  expect(challenged['blockers']).toEqual(['dispute_window_open', 'challenge_open']);
  expect(await conflict('bob', withdrawalId, 'finalize')).toContain('challenge_open');
  await control('/advance', { seconds: 30 });
  await control('/resolve', { game });
  await become('alice', withdrawalId, (now) => now.status === 'awaiting_state_root' || now.status === 'ready_to_prove');
});

test('lists have filters, and invalid ones are named', async () => {
  expect((await listed('alice', '?status=finalised')).map(({ status: is }) => is)).toEqual(['finalised']);
  expect(await listed('alice', '?bridgeId=unknown')).toEqual([]);
  expect(await listed('alice', `?wallet=${accountOf(1).address}`)).toEqual([]);
  expect((await listed('alice', `?wallet=${accountOf(0).address}`)).length).toBe(2);
  expect((await listed('alice', '?status=finalised,failed')).map(({ status: is }) => is)).toEqual(['finalised']);
  const [newest, oldest] = await listed('alice');
  expect(await listed('alice', `?after=${oldest?.['createdAt']}`)).toEqual([newest].flatMap((each) => each ?? []));
  expect(await listed('alice', `?before=${newest?.['createdAt']}`)).toEqual([oldest].flatMap((each) => each ?? []));
  for (const member of ['l2TransactionHash', 'proveTransactionHash', 'finalizeTransactionHash'])
    expect(await listed('alice', `?transactionHash=${oldest?.[member]}`)).toEqual(
      [oldest].flatMap((each) => each ?? []),
    );
  const cursorOf = async (of: string) => {
    const { nextCursor } = await jsonBody(await running.as('alice', 'GET', `${of}?limit=1`));
    return encodeURIComponent(String(nextCursor));
  };
  const [own, ofHistory] = [await cursorOf(path), await cursorOf('/users/me/history')];
  expect(await listed('alice', `?cursor=${own}`)).toEqual([oldest].flatMap((each) => each ?? []));
  expect((await running.as('alice', 'GET', `/users/me/history?cursor=${ofHistory}`)).status).toBe(200);
  expect((await running.as('alice', 'GET', `/users/me/history?cursor=${own}`)).status).toBe(400);
  const wrong = ['?state=failed', '?status=finalised,', '?status=finalised,over', '?transactionHash=0x1', '?after=x'];
  for (const query of [...wrong, `?cursor=${ofHistory}`, '?status=over', '?wallet=x', '?limit=0', '?cursor=x'])
    expect((await running.as('alice', 'GET', `${path}${query}`)).status).toBe(400);
});

test('a policy that denies calls of the portal refuses preparation (contract/firewall-resources#rest)', async () => {
  const data = encodeFunctionData({
    abi: passerAbi,
    functionName: 'initiateWithdrawal',
    args: [accountOf(2).address, 50_000n, '0x'],
  });
  const { transactionHash } = await send(2, 'l2', l2Contracts.messagePasser, data, 7n);
  const { withdrawalId } = await withdrawn('carol', transactionHash);
  await control('/propose');
  await become('carol', withdrawalId, status('ready_to_prove'));
  expect((await prepare('carol', withdrawalId, 'prove')).status).toBe(200);
  const { portal } = running.rollup.bridge.contracts;
  const resource = { kind: 'contract', id: `ethereum/l1/${portal.toLowerCase()}` };
  const policy = { name: 'no proofs', effect: 'deny', subjects: ['*'], resource };
  expect((await running.as('carol', 'POST', '/users/me/policies', policy)).status).toBe(201);
  expect((await prepare('carol', withdrawalId, 'prove')).status).toBe(403);
  // Denied withdrawals can still be read.
  expect((await shown('carol', withdrawalId)).status).toBe('ready_to_prove');
});
